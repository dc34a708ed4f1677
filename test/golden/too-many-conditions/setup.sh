# A rule with as many conditions as a rule may have, and one with one more.
for count in 1000 1001; do
  {
    printf "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - any:\n"
    seq -f "          - { attribute: a, operator: equals, value: x%.0f }" 0 $((count - 1))
    printf "        returnValue: true\n"
  } > flags/$count.yaml
done
