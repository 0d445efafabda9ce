#!/bin/sh
# The documents made from the tables are those in the tree.
# usage: docs_up_to_date.sh RILL SOURCE_FOLDER
rill=$1
source=$2
failed=0
check() {
    if ! "$rill" validate "$1" | cmp -s - "$source/$2"; then
        echo "$2 is out of date; run: build/release/rill validate $1 > $2"
        failed=1
    fi
}
check --schema docs/scene.schema.json
check --reference docs/scene.md
# Every scene is in the gallery.
for scene in "$source"/scenes/*.json; do
    name=$(basename "$scene" .json)
    if ! grep -q "^$name	" "$source/scenes/gallery.tsv"; then
        echo "scenes/gallery.tsv has no line for $name; add one, and run ./gallery $name"
        failed=1
    fi
done
exit $failed
