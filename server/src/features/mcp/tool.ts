/** The tools of assistants: what each takes, returns and needs. Names and descriptions are constants, so that no data can change them. */
import type { Route } from '@tributary/contract/route'
import type { TokenScope } from '@tributary/contract/token-scopes'
import * as z from 'zod'
import type { AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { callRoute } from '../../kernel/http/inner-call.ts'
import { InnerCallRefused } from '../../kernel/http/inner-call.ts'
import { shorten } from './visible-text.ts'

export interface ToolCall {
  readonly services: AppServices
  readonly auditContext: CallerContext
  /** Aborts when the assistant disconnects. */
  readonly signal: AbortSignal
  /** Calls a route of the contract as the person. The organisation is in the parameters already. */
  read<const R extends Route>(
    route: R,
    given?: { readonly params?: Readonly<Record<string, string>>; readonly query?: Readonly<Record<string, string>> },
  ): ReturnType<typeof callRoute<R>>
}

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What a token needs to call it. */
  readonly scope: TokenScope
  readonly input: Input
  readonly output: Output
  run(call: ToolCall, input: z.output<Input>): Promise<z.input<Output>>
}

export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Tool<Input, Output>,
): Tool<Input, Output> {
  return definition
}

export const connectorId = z.uuid().optional().describe('Only this connector. Default: all that you may see.')

/** A connector as results name it. */
export const Connector = z.object({ id: z.string(), name: z.string(), source: z.string() })

/** Why a part of a result is missing, and what to do. The other parts are complete. */
export const Problem = z.string().nullable()

const nameMax = 200
const textMax = 2_000

export function name(text: string): string {
  return shorten(text, nameMax)
}

export function text(value: string): string {
  return shorten(value, textMax)
}

/** The same for what may be missing. */
export function optionalText(value: string | null | undefined): string | null {
  return value === null || value === undefined ? null : text(value)
}

/** Returns what `work` returns, or its error in words. Other errors are thrown. */
export async function partly<T>(
  work: () => Promise<T>,
): Promise<{ readonly part: T | null; readonly problem: string | null }> {
  try {
    return { part: await work(), problem: null }
  } catch (error) {
    if (!(error instanceof InnerCallRefused || error instanceof ApiFault)) throw error
    return { part: null, problem: error.message }
  }
}
