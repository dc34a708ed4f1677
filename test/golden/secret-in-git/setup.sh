# Secrets in flag files, put together here because Flagstone's own repository is searched, too.
key=fsk_${empty}VdNv1mxWi59VUWO8rG6W3D0HYLk885IIh9j5Mt7Yo2Y2DEEic
pair=MC4CAQAwBQYDK2Vw${empty}BCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
printf '# %s\r\n# signed with %s\r\n' "$key" "$pair" >> flags/sale.yaml
printf '# "FLAGSTONE_PATH_SECRET": "%s"\n' 0123456789abcdef0123456789ABCDEF >> flags/project.yaml
printf 'ours\n%s\n' "$key" > flags/keys.txt
# These are none: a wrong checksum, a digest, a key in PEM, a reference to a secret, a value that is too short.
{
  echo "# fsk_${empty}VdNv1mxWi59VUWO8rG6W3D0HYLk885IIh9j5Mt7Yo2Y2DEEid"
  echo "# digest: sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
  printf 'description: |\n  -----BEGIN PRIVATE KEY-----\n  %s\n  -----END PRIVATE KEY-----\n' "$pair"
  printf '# FLAGSTONE_PATH_SECRET: ${{ secrets.FLAGSTONE_PATH_SECRET }}\n# FLAGSTONE_EVENTS_SECRET=change-me\n'
} >> flags/sale.yaml
# Nothing else is searched.
echo "$key" > secret.txt
