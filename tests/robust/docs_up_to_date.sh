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
# Every file, scene and case that docs/papers.md names is there.
"$rill" verify --list | cut -d' ' -f1 > papers_cases.txt
grep '^|' "$source/docs/papers.md" | tr -d '`' | awk -F'|' '{print $3 "\n" $4}' | tr ' ,;()' '\n\n\n\n\n' |
    sort -u > papers_words.txt
while read -r word; do
    case $word in
        \[*) continue ;;
        */*) test -e "$source/src/$word" || test -e "$source/$word" || test -e "$source/docs/$word" ;;
        *_*.*) continue ;;
        V-*|tets-*|voronoi-figures|voronoi-stretching|adams-*|thick-*|points-volume|tracker-*|surface-*)
            grep -qx -- "$word" papers_cases.txt ;;
        test_*) test -e "$source/tests/unit/$word.c" ;;
        points_*|tutorial_*|adams_*|brochu_*|klingner_*|dam_*|drop_*) test -e "$source/scenes/$word.json" ;;
        *) continue ;;
    esac || {
        echo "docs/papers.md names $word, which is not there"
        failed=1
    }
done < papers_words.txt
rm -f papers_cases.txt papers_words.txt
exit $failed
