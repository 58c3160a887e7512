# Has `pace watch` follow paths that are replaced from above. A part of pace.sh, which reads it.

mkdir dist
echo 1 >dist/app.js
watch dist/app.js --debounce 50ms -- "${count[@]}"
rm -r dist
awaited "a file whose directory goes runs the command" runs 2
mkdir dist
echo 2 >dist/app.js
awaited "its return does" runs 3
echo 3 >dist/app.js
awaited "and it is watched then" runs 4
unwatch

mkdir -p above/one/two
echo 1 >above/one/two/file
watch above/one/two --debounce 50ms -- "${count[@]}"
mv above/one above/old
awaited "a directory further above that is moved away runs the command" runs 2
mkdir -p above/one/two
awaited "its return does" runs 3
echo 1 >above/one/two/file
awaited "and what is below it is watched then" runs 4
rm -r above
awaited "all can go" runs 5
mkdir -p above/one/two
awaited "and come back" runs 6
echo 1 >above/one/two/file
awaited "as often as they like" runs 7
unwatch

mkdir -p releases/1 releases/2
echo 1 >releases/1/app.js
echo 2 >releases/2/app.js
ln -s releases/1 current
watch current/app.js --debounce 50ms -- "${count[@]}"
ln -s releases/2 next
mv -T next current 2>/dev/null || mv -h next current
awaited "a link above the file that leads elsewhere runs the command" runs 2
echo 3 >releases/2/app.js
awaited "and is followed" runs 3
unwatch

echo 1 >releases/1/app.js
ln -s releases/1/app.js app.js
watch app.js --debounce 50ms -- "${count[@]}"
ln -s releases/2/app.js swap
mv swap app.js
awaited "a link that leads elsewhere runs the command" runs 2
echo 2 >releases/1/app.js
sleep 0.5
same "what it led to before does not count any more" 2 "$(wc -l <runs)"
echo 4 >releases/2/app.js
awaited "what it leads to now does" runs 3
unwatch

mkdir -p aside/one
echo 1 >aside/one/file
watch aside/one --debounce 50ms -- "${count[@]}"
mv aside/one aside/old
awaited "a directory that is moved away runs the command" runs 2
echo 2 >aside/old/file
sleep 0.5
same "changes where it is now do not" 2 "$(wc -l <runs)"
unwatch
