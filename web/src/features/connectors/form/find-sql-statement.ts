/** Finds the SQL statement in a sentence that asks the user to run one. Pure. */

export interface SentenceWithStatement {
  readonly words: string
  /** Ready to copy, one statement a line; null if the sentence contains none. */
  readonly statement: string | null
}

const statementStart = /\b(?:GRANT [A-Z]|CREATE (?:ROLE|USER|LOGIN) |ALTER (?:ROLE|USER|DATABASE|TABLE) )/

export function splitStatement(sentence: string): SentenceWithStatement {
  const at = sentence.search(statementStart)
  if (at === -1) return { words: sentence, statement: null }
  // A full stop at the end belongs to the sentence, not to the statement.
  const statement = sentence.slice(at).trim().replace(/\.$/, '')
  return { words: sentence.slice(0, at).trim(), statement: statement.replaceAll('; ', ';\n') }
}
