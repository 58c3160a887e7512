# Plants every mutation of a Swift source that its lines allow, each chosen by a number at run time.
#
# Variables: file, the name to print; first, the number of the first mutation; skip, lines that are to
# stay as they are, each between spaces; list, a file to which a line for each mutation is added:
# number, file, line, the mutated text and the original one, separated by tabs.

# Adds a variant of the expression if it differs from it.
function offer(variant) {
  if (variant != expression && count < 4) variants[++count] = variant
}

# Replaces the first match of a fixed text that begins at or after a place.
function swap(from, to,   place) {
  place = index(expression, from)
  if (place > 0) {
    offer(substr(expression, 1, place - 1) to substr(expression, place + length(from)))
  }
}

function is_balanced(text,   i, c, depth) {
  depth = 0
  for (i = 1; i <= length(text); i++) {
    c = substr(text, i, 1)
    if (c ~ /[(\[{]/) depth++
    if (c ~ /[)\]}]/ && --depth < 0) return 0
  }
  return depth == 0
}

# The variants of an expression.
function vary(isCondition) {
  count = 0
  swap(" < ", " <= ")
  swap(" <= ", " < ")
  swap(" > ", " >= ")
  swap(" >= ", " > ")
  swap(" == ", " != ")
  swap(" != ", " == ")
  swap(" && ", " || ")
  swap(" || ", " && ")
  swap(" + 1", "")
  swap(" - 1", "")
  swap(" + ", " - ")
  swap("max(", "min(")
  swap("min(", "max(")
  swap("true", "false")
  swap("false", "true")
  if (isCondition) offer("!(" expression ")")
}

function note(mutated, original) {
  printf "%d\t%s\t%d\t%s\t%s\n", first, file, NR, mutated, original >>list
  first++
}

# The expression with its variants, or as it is.
function chosen(isCondition,   i, text) {
  vary(isCondition)
  text = ""
  for (i = 1; i <= count; i++) {
    text = text "mutant(" first ") ? (" variants[i] ") : "
    note(variants[i], expression)
  }
  return count == 0 ? expression : "(" text "(" expression "))"
}

function is_plain(text) {
  return is_balanced(text) && text !~ /(^|[^a-zA-Z.])(let|var|case|try|await|if|switch|inout) / && text !~ /["&{]/ && text != ""
}

{
  line = $0
  match(line, /^ */)
  indent = substr(line, 1, RLENGTH)
  body = substr(line, RLENGTH + 1)
}

# An initialiser sets every property once: what it does stays.
body ~ /init[?]?[(<]/ && body ~ /[{(]$/ { inside = indent "}" }
inside != "" {
  if (line == inside) inside = ""
  print line
  next
}

index(skip, " " NR " ") || body ~ /^\/\// || body ~ /(func|init|subscript|import|package|public|private|static|precondition)[ (]/ {
  print line
  next
}

# What is declared without a value must be given one.
body ~ /^(let|var) [a-zA-Z]+: [^={]*$/ {
  match(body, /^(let|var) [a-zA-Z]+/)
  owed[substr(body, 5, RLENGTH - 4)] = 1
}

# guard, if and while with plain conditions only
body ~ /^(} else )?(guard|if|while) .* (else )?\{( return.*)?( \})?$/ || body ~ /^guard .* else$/ {
  match(body, /^(} else )?(guard|if|while) /)
  head = substr(body, 1, RLENGTH)
  rest = substr(body, RLENGTH + 1)
  if (head ~ /guard/) place = match(rest, / else( \{.*)?$/)
  else place = match(rest, / \{.*$/)
  expression = substr(rest, 1, place - 1)
  tail = substr(rest, place)
  if (place > 0 && is_plain(expression) && expression !~ /,/) {
    print indent head chosen(1) tail
    next
  }
  print line
  next
}

body ~ /^return / {
  expression = substr(body, 8)
  if (is_plain(expression)) { print indent "return " chosen(0); next }
}

body ~ /^(let|var) [a-zA-Z]+ = / {
  match(body, /^(let|var) [a-zA-Z]+ = /)
  head = substr(body, 1, RLENGTH)
  expression = substr(body, RLENGTH + 1)
  # Stored properties belong to their type, and have two spaces before them.
  if (is_plain(expression) && length(indent) > 2) { print indent head chosen(0); next }
}

# Statements: assignments and calls of one line, which may also be left out.
body ~ /^[a-zA-Z_.]+(\[[a-zA-Z_.]+\])? ([-+]|&[-+])?= / && length(indent) > 2 {
  match(body, /= /)
  head = substr(body, 1, RSTART + 1)
  expression = substr(body, RSTART + 2)
  if (is_plain(expression)) {
    if (substr(body, 1, index(body, " ") - 1) in owed) { print indent head chosen(0); next }
    dropped = first
    note("", body)
    print indent "if !mutant(" dropped ") { " head chosen(0) " }"
    next
  }
}

body ~ /^[a-zA-Z_.]+\(.*\)$/ && length(indent) > 2 {
  expression = body
  if (is_plain(body) && body !~ /^(fatalError|super)/) {
    dropped = first
    note("", body)
    print indent "if !mutant(" dropped ") { " body " }"
    next
  }
}

{ print line }

END { print first >numbers }
