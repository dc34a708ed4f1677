# A changed file, a new one, and one that is gone.
echo "defaultValue: true" > flags/gone.yaml
git init -q && git add . && git commit -qm one
rm flags/gone.yaml
echo "name: Sale" >> flags/sale.yaml
echo "defaultValue: false" > flags/new.yaml
