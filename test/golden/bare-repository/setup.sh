# What git takes for a repository below the flags folder, whatever `ignore` says; its objects may be in a different folder.
for folder in old/plain old/linked; do mkdir -p flags/$folder && echo "ref: refs/heads/main" > flags/$folder/HEAD; done
mkdir flags/old/plain/objects flags/old/plain/refs
echo ../plain > flags/old/linked/commondir
# These are none.
mkdir -p flags/old/half/objects flags/old/headless/objects flags/old/headless/refs && touch flags/old/half/HEAD
