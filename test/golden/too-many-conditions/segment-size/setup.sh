# A list of 300 values with 501 characters each.
rest=$(head -c 480 /dev/zero | tr "\\0" x)
{ printf "attribute: id\noperator: in\nvalue:\n"; seq -f "  - %020.0f-$rest" 0 299; } > flags/long.segment.yaml
