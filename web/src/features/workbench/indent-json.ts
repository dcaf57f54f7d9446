/** Indents a JSON text, also a cut one. Every character of a value stays: a parser would round numbers and drop repeated keys. */
export function indentJson(text: string): string {
  if (!/^\s*[{[]/u.test(text)) return text
  const tokens = text.match(/"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/gu) ?? []
  let depth = 0
  let written = ''
  for (const [index, token] of tokens.entries()) {
    if (isClosing(token)) depth -= 1
    const isEmpty = isClosing(token) && isOpening(tokens[index - 1])
    if (index > 0 && !isEmpty && startsLine(token, tokens[index - 1])) written += `\n${'  '.repeat(Math.max(0, depth))}`
    written += token === ':' ? ': ' : token
    if (isOpening(token)) depth += 1
  }
  return written
}

function startsLine(token: string, before: string | undefined): boolean {
  return isClosing(token) || isOpening(before) || before === ','
}

function isOpening(token: string | undefined): boolean {
  return token === '{' || token === '['
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']'
}
