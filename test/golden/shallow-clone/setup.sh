# The newest of two commits, without the one before it.
git init -q origin
mv flags origin
git -C origin add . && git -C origin commit -qm one && git -C origin commit -qm two --allow-empty
git clone -q --depth 1 "file://$PWD/origin" clone
mv clone/flags clone/.git .
