/** The limits on attempts, read from the server's sources: object literals of the type `ThrottleLimit`. */
import { listTracked, readTracked } from '../language/sources.ts'

export interface AttemptLimit {
  readonly kind: string
  readonly free: number
  readonly waitMs: number
  readonly waitMaxMs: number
  readonly windowMs: number
  readonly isShared: boolean
}

/** Sorted by kind. Throws if a literal has a value that is neither a number nor a constant of its file. */
export function listAttemptLimits(): AttemptLimit[] {
  return listTracked('server/src/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => parseLimits(readTracked(file)))
    .toSorted((a, b) => a.kind.localeCompare(b.kind))
}

function parseLimits(source: string): AttemptLimit[] {
  return [...source.matchAll(/\{\s*kind: '(?<kind>[^']+)',(?<rest>[^{}]*\bwaitMs:[^{}]*)\}/gu)].map(({ groups }) => {
    const { kind = '', rest = '' } = groups ?? {}
    const valueOf = (name: string, initial?: number) => {
      const found = new RegExp(`\\b${name}(?:: ([^,}]+))?[,\\s]`, 'u').exec(rest)
      return found === null && initial !== undefined ? initial : evaluate(source, found, name)
    }
    const waitMs = valueOf('waitMs')
    const windowMs = valueOf('windowMs', waitMs)
    return {
      kind,
      free: valueOf('free'),
      waitMs,
      waitMaxMs: valueOf('waitMaxMs', windowMs),
      windowMs,
      isShared: /\bisShared: true\b/u.test(rest),
    }
  })
}

/** Evaluates a number or a constant of the file, such as `hourMs` or a shorthand `windowMs`. */
function evaluate(source: string, found: RegExpExecArray | null, name: string): number {
  const text = (found?.[1] ?? name).trim()
  const number = Number(text.replaceAll('_', ''))
  if (!Number.isNaN(number)) return number
  const [, constant = ''] = new RegExp(`\\bconst ${text} = ([\\d_]+)`, 'u').exec(source) ?? []
  if (constant === '') throw new Error(`The limit's ${name} is ${text}, which is not a constant of its file.`)
  return Number(constant.replaceAll('_', ''))
}
