/** Finds the SQL statement in a sentence that tells somebody to run one. Pure. */

export interface Told {
  readonly words: string
  /** Ready to copy, several a line each; null where the sentence holds none. */
  readonly statement: string | null
}

const verb = /\b(?:GRANT [A-Z]|CREATE (?:ROLE|USER|LOGIN) |ALTER (?:ROLE|USER|DATABASE|TABLE) )/

export function splitStatement(sentence: string): Told {
  const at = sentence.search(verb)
  if (at === -1) return { words: sentence, statement: null }
  // The full stop ends the sentence, not the statement.
  const statement = sentence.slice(at).trim().replace(/\.$/, '')
  return { words: sentence.slice(0, at).trim(), statement: statement.replaceAll('; ', ';\n') }
}
