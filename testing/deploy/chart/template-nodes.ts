/** Parses the part of Go's text/template that our chart uses into nodes. An unknown action is an error. */

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly pipeline: string }
  | { readonly kind: 'assign'; readonly variable: string; readonly pipeline: string }
  | {
      readonly kind: 'block'
      readonly action: 'if' | 'with' | 'range'
      readonly variables: readonly string[]
      readonly pipeline: string
      readonly body: readonly TemplateNode[]
      readonly otherwise: readonly TemplateNode[]
    }

export interface ParsedTemplate {
  readonly nodes: readonly TemplateNode[]
  /** Templates that the file defines, by name. */
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>
}

interface TemplateToken {
  readonly isAction: boolean
  readonly text: string
}

export function parseTemplate(source: string): ParsedTemplate {
  const defined = new Map<string, readonly TemplateNode[]>()
  const parser = new TemplateParser(tokenise(source), defined)
  return { nodes: parser.parseUntil([]).nodes, defined }
}

/** Splits into text and actions, and trims the text where an action begins with `{{-` or ends with `-}}`. */
function tokenise(source: string): readonly TemplateToken[] {
  const tokens: TemplateToken[] = []
  let trimsNext = false
  let position = 0
  const addText = (text: string) => tokens.push({ isAction: false, text: trimsNext ? text.trimStart() : text })
  for (const match of source.matchAll(/\{\{(?<before>- )?(?:\/\*[^]*?\*\/|(?<action>[^]*?))(?<after> ?-)?\}\}/gu)) {
    const { before, action, after } = match.groups ?? {}
    const text = source.slice(position, match.index)
    addText(before === undefined ? text : text.trimEnd())
    if (action !== undefined) tokens.push({ isAction: true, text: action.trim() })
    trimsNext = after !== undefined
    position = match.index + match[0].length
  }
  addText(source.slice(position))
  return tokens
}

class TemplateParser {
  readonly #tokens: readonly TemplateToken[]
  readonly #defined: Map<string, readonly TemplateNode[]>
  #at = 0

  constructor(tokens: readonly TemplateToken[], defined: Map<string, readonly TemplateNode[]>) {
    this.#tokens = tokens
    this.#defined = defined
  }

  /** Parses until one of these actions, or to the end if there are none. Returns also the action that ended it. */
  parseUntil(ends: readonly string[]): { readonly nodes: readonly TemplateNode[]; readonly end: string } {
    const nodes: TemplateNode[] = []
    for (;;) {
      const token = this.#tokens[this.#at++]
      if (token === undefined) {
        if (ends.length > 0) throw new Error(`A block of the template has no ${ends.join(' or ')}.`)
        return { nodes, end: '' }
      }
      if (token.isAction && ends.includes(token.text)) return { nodes, end: token.text }
      nodes.push(...this.#parseNode(token))
    }
  }

  #parseNode({ isAction, text }: TemplateToken): readonly TemplateNode[] {
    if (!isAction) return [{ kind: 'text', text }]
    const word = /^\S+/u.exec(text)?.[0] ?? ''
    const rest = text.slice(word.length).trimStart()
    if (word === 'define') {
      this.#defined.set(JSON.parse(rest) as string, this.parseUntil(['end']).nodes)
      return []
    }
    if (word === 'if' || word === 'with' || word === 'range') return [this.#parseBlock(word, rest)]
    return [parseOutput(text)]
  }

  #parseBlock(action: 'if' | 'with' | 'range', head: string): TemplateNode {
    const named = /^(?<variables>\$\w+(?:, \$\w+)?) := (?<pipeline>[^]+)$/u.exec(head)?.groups
    const { nodes: body, end } = this.parseUntil(['end', 'else'])
    const otherwise = end === 'else' ? this.parseUntil(['end']).nodes : []
    const variables = named?.['variables']?.split(', ') ?? []
    return { kind: 'block', action, variables, pipeline: named?.['pipeline'] ?? head, body, otherwise }
  }
}

function parseOutput(text: string): TemplateNode {
  const { variable, pipeline } = /^(?<variable>\$\w+) :?= (?<pipeline>[^]+)$/u.exec(text)?.groups ?? {}
  if (variable === undefined || pipeline === undefined) return { kind: 'output', pipeline: text }
  return { kind: 'assign', variable, pipeline }
}
