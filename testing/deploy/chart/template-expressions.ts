/** Evaluates pipelines of templates: `required "…" .Values.image | quote`. */

export type TemplateFunction = (...parameters: readonly unknown[]) => unknown

export interface TemplateScope {
  /** The value of `.`. */
  readonly dot: unknown
  readonly variables: ReadonlyMap<string, unknown>
  readonly functions: Readonly<Record<string, TemplateFunction>>
}

const wordPattern = /"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/gu

export function evaluatePipeline(pipeline: string, scope: TemplateScope): unknown {
  const words = pipeline.match(wordPattern) ?? []
  const evaluator = new PipelineEvaluator(words, scope)
  return evaluator.evaluate()
}

class PipelineEvaluator {
  readonly #words: readonly string[]
  readonly #scope: TemplateScope
  #at = 0

  constructor(words: readonly string[], scope: TemplateScope) {
    this.#words = words
    this.#scope = scope
  }

  /** Evaluates commands that are joined by `|`, up to a closing parenthesis or the end. */
  evaluate(): unknown {
    let value = this.#evaluateCommand([])
    while (this.#words[this.#at] === '|') {
      this.#at += 1
      value = this.#evaluateCommand([value])
    }
    return value
  }

  /** @param piped the value before the `|`, which becomes the last parameter */
  #evaluateCommand(piped: readonly unknown[]): unknown {
    const first = this.#words[this.#at]
    const called = first === undefined ? undefined : this.#scope.functions[first]
    if (called !== undefined) this.#at += 1
    const operands: unknown[] = []
    while (this.#at < this.#words.length && !['|', ')'].includes(this.#words[this.#at] ?? ''))
      operands.push(this.#evaluateOperand())
    if (called !== undefined) return called(...operands, ...piped)
    const [method, ...parameters] = operands
    return typeof method === 'function' ? (method as TemplateFunction)(...parameters) : method
  }

  #evaluateOperand(): unknown {
    const word = this.#words[this.#at++] ?? ''
    if (word === '(') return this.#evaluateGroup()
    if (word.startsWith('"')) return JSON.parse(word)
    if (/^-?\d+$/u.test(word)) return Number(word)
    const [head = '', ...path] = word.split('.')
    if (head !== '' && !head.startsWith('$')) return this.#readFunction(head)
    return readPath(this.#readVariable(head), path)
  }

  #evaluateGroup(): unknown {
    const value = this.evaluate()
    this.#at += 1
    const [, ...path] = this.#words[this.#at]?.startsWith('.') ? (this.#words[this.#at++]?.split('.') ?? []) : []
    return readPath(value, path)
  }

  #readVariable(name: string): unknown {
    if (name === '') return this.#scope.dot
    if (!this.#scope.variables.has(name)) throw new Error(`The template has no variable ${name}.`)
    return this.#scope.variables.get(name)
  }

  /** A function without parameters. */
  #readFunction(name: string): unknown {
    if (name === 'true' || name === 'false') return name === 'true'
    const found = this.#scope.functions[name]
    if (found === undefined) throw new Error(`The reader of templates has no function ${name}.`)
    return found()
  }
}

function readPath(value: unknown, path: readonly string[]): unknown {
  return path
    .filter((name) => name !== '')
    .reduce<unknown>((held, name) => (held as Readonly<Record<string, unknown>> | undefined)?.[name], value)
}
