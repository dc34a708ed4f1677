# One byte more than a flag file may have, and one that is exactly as large.
head -c 1048577 /dev/zero > flags/huge.yaml
{ printf "description: |\n  "; head -c 1048538 /dev/zero | tr "\\0" a; printf "\ndefaultValue: false\n"; } > flags/large.yaml
