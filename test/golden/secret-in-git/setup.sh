# Secrets in tracked files, put together here because Flagstone's own repository is searched, too.
key=fsk_${empty}VdNv1mxWi59VUWO8rG6W3D0HYLk885IIh9j5Mt7Yo2Y2DEEic
pair=MC4CAQAwBQYDK2Vw${empty}BCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
echo "$key" > secret.txt
echo "$pair" > private.txt
printf '{ "token": "%s",\n  "FLAGSTONE_PATH_SECRET": "%s" }\n' "$key" 0123456789abcdef0123456789ABCDEF > settings.json
# A file that holds two, and one whose name is odd.
mkdir "old notes" && printf 'key: %s\r\nsigned with %s\r\n' "$key" "$pair" > "old notes/ü.md"
# These are none: a wrong checksum, a digest, a key in PEM, a reference to a secret, a value that is too short.
echo "fsk_${empty}VdNv1mxWi59VUWO8rG6W3D0HYLk885IIh9j5Mt7Yo2Y2DEEid" > example.md
printf 'keys:\n  - digest: sha256:%s\n' 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef > keys.yaml
printf -- '-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n' "$pair" > fixture.pem
printf 'FLAGSTONE_PATH_SECRET: ${{ secrets.FLAGSTONE_PATH_SECRET }}\nFLAGSTONE_EVENTS_SECRET=change-me\n' > ci.yaml
git init -q && git add .
# Nor do files count that git does not track, or that are gone.
echo "$key" > untracked.txt
echo "$key" > gone.txt && git add gone.txt && rm gone.txt
# A submodule is a different repository.
git init -q library && echo "$key" > library/secret.txt && git -C library add . && git -C library commit -qm one
git -c advice.addEmbeddedRepo=false add library && git config submodule.recurse true
