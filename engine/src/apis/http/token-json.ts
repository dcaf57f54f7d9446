/** One GET with a bearer token outside of a run: who has signed in, and which companies a sign-in reaches. */
import { Fault } from '../../ports/faults.ts'
import type { TenantRequest } from '../../ports/oauth.ts'
import { type ExactJson, parseExactJson } from './exact-json.ts'
import { type OriginAgent, sendGet } from './exchange.ts'

const timeoutMs = 20_000
const bodyMax = 8 * 1_048_576

interface TokenCall {
  readonly title: string
  /** Prefix of fault codes. */
  readonly code: string
  readonly url: URL
  readonly headers?: Readonly<Record<string, string>>
}

/** @throws Fault `signIn` if the token is refused, `passing` for every other failure */
export async function getWithToken(
  agent: OriginAgent,
  { accessToken, signal }: Pick<TenantRequest, 'accessToken' | 'signal'>,
  call: TokenCall,
): Promise<ExactJson> {
  const { title, code, url, headers: more } = call
  const headers = {
    accept: 'application/json',
    'user-agent': 'Tributary',
    authorization: `Bearer ${accessToken}`,
    ...more,
  }
  const reply = await sendGet(agent, { url, headers, timeoutMs, bodyMax }, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error instanceof Fault ? error : companiesUnreachable(call, error)
  })
  if (reply.status === 401 || reply.status === 403)
    throw new Fault('signIn', {
      code: `${code}.refused`,
      notice: `${title} no longer accepts the sign-in. Connect it again.`,
    })
  if (reply.status !== 200) throw companiesUnreachable(call, new Error(`HTTP ${reply.status}`))
  try {
    return parseExactJson(reply.body.toString('utf8'))
  } catch (error) {
    throw companiesUnreachable(call, error)
  }
}

export function companiesUnreachable({ title, code }: Pick<TokenCall, 'title' | 'code'>, cause?: unknown): Fault {
  return new Fault('passing', {
    code: `${code}.unreachable`,
    notice: `The companies that the sign-in reaches could not be read from ${title}. Try again in a moment.`,
    cause,
  })
}
