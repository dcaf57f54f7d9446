/** Splits SQL into words and signs. Strings, quoted names and comments are skipped. */
import type { QueryDialect } from '../../ports/query.ts'

export interface SqlToken {
  /** `comment`: only one that the server runs. `quoted`: a string or a quoted name, without its content. */
  readonly kind: 'word' | 'sign' | 'quoted' | 'comment'
  readonly text: string
  readonly at: number
}

interface Skipped {
  readonly kind: 'blank' | 'quoted' | 'comment'
  /** Sticky. */
  readonly begin: RegExp
  /** The offset after the end. An unterminated one ends with the text, and the database reports it. */
  readonly end: (text: string, from: number, opening: string) => number
}

const after = (closing: string) => (text: string, from: number) => {
  const at = text.indexOf(closing, from)
  return at === -1 ? text.length : at + closing.length
}

/** @param escapes whether a backslash escapes the next sign; a doubled quote always stands for itself */
function quotedBy(closing: string, escapes = false): Skipped['end'] {
  return (text, from) => {
    for (let at = from; at < text.length; at += 1) {
      if (escapes && text[at] === '\\') at += 1
      else if (text[at] === closing && text[at + 1] === closing) at += 1
      else if (text[at] === closing) return at + 1
    }
    return text.length
  }
}

/** Comments within comments are part of it. */
const nestedComment: Skipped['end'] = (text, from) => {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    const pair = text.slice(at, at + 2)
    if (pair !== '/*' && pair !== '*/') continue
    depth += pair === '/*' ? 1 : -1
    at += 1
    if (depth === 0) return at + 1
  }
  return text.length
}

const space: Skipped = { kind: 'blank', begin: /\s+/uy, end: (_text, from) => from }
const lineComment = (begin: RegExp): Skipped => ({ kind: 'blank', begin, end: after('\n') })
const quoted = (begin: RegExp, end: Skipped['end']): Skipped => ({ kind: 'quoted', begin, end })

const skipped: Readonly<Record<QueryDialect, readonly Skipped[]>> = {
  postgres: [
    space,
    lineComment(/--/uy),
    { kind: 'blank', begin: /\/\*/uy, end: nestedComment },
    quoted(/[eE]'/uy, quotedBy("'", true)),
    quoted(/'/uy, quotedBy("'")),
    quoted(/"/uy, quotedBy('"')),
    quoted(/\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy, (text, from, opening) => after(opening)(text, from)),
  ],
  mysql: [
    space,
    lineComment(/#/uy),
    lineComment(/--(?=\s|$)/uy),
    { kind: 'comment', begin: /\/\*M?!/uy, end: after('*/') },
    { kind: 'blank', begin: /\/\*/uy, end: after('*/') },
    quoted(/'/uy, quotedBy("'", true)),
    quoted(/"/uy, quotedBy('"', true)),
    quoted(/`/uy, quotedBy('`')),
  ],
  sqlserver: [
    space,
    lineComment(/--/uy),
    { kind: 'blank', begin: /\/\*/uy, end: nestedComment },
    quoted(/'/uy, quotedBy("'")),
    quoted(/"/uy, quotedBy('"')),
    quoted(/\[/uy, quotedBy(']')),
  ],
}

const word = /[\p{L}_@#][\p{L}\p{N}_$@#]*/uy

export function scanSql(dialect: QueryDialect, text: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (let at = 0; at < text.length;) {
    const found = findSkipped(dialect, text, at)
    if (found !== null) {
      const { kind, opening, end } = found
      if (kind !== 'blank') tokens.push({ kind, text: opening, at })
      at = end
      continue
    }
    word.lastIndex = at
    const [named] = word.exec(text) ?? []
    tokens.push({ kind: named === undefined ? 'sign' : 'word', text: named ?? text[at] ?? '', at })
    at += named?.length ?? 1
  }
  return tokens
}

function findSkipped(dialect: QueryDialect, text: string, at: number) {
  for (const { kind, begin, end } of skipped[dialect]) {
    begin.lastIndex = at
    const [opening] = begin.exec(text) ?? []
    if (opening !== undefined) return { kind, opening, end: end(text, at + opening.length, opening) }
  }
  return null
}
