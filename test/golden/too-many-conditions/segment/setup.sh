{ printf "any:\n"; seq -f "  - { attribute: a, operator: equals, value: v%.0f }" 0 399; } > flags/many.segment.yaml
