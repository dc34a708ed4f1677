# Values of a megabyte, of which the documents have room for 67.
head -c 1000000 /dev/zero | tr "\\0" a > megabyte.txt
for i in $(seq 70); do
  { printf "type: string\ndefaultValue: "; cat megabyte.txt; } > flags/terms-$i.yaml
done
