/** What a person sees of an assistant's request, and what they allow: a code that the assistant exchanges for tokens. */
import type { AssistantRequest } from '@tributary/contract/oauth'
import { oauthLimits } from '@tributary/contract/limits'
import { tokenLimits } from '@tributary/contract/token-scopes'
import type { Camel } from '@tributary/contract/wire'
import { assistantsAllowed, requireAssistants } from '../../access/assistants/switches.ts'
import type { AppServices } from '../../app-services.ts'
import { tokensOffFault } from '../../identity/tokens/authenticate-token.ts'
import { assistantAllowed } from '../../identity/tokens/token-email-templates.ts'
import { generateToken } from '../../identity/tokens/token-format.ts'
import { countValidTokens } from '../../identity/tokens/token-queries.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { ApiFault, detailedFault } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { hashOf } from '../../security/secrets/one-time-codes.ts'
import { type AuthorisationRequest, readAuthorisationRequest } from './authorisation-request.ts'
import { insertCode, listTokenOrganisations } from './queries.ts'
import { answerAddress, isOnOwnComputer } from './redirect-uris.ts'

type AllowServices = Pick<AppServices, 'audit' | 'clock' | 'config' | 'mailer' | 'settings' | 'store'>

/** Throws `oauthRequestWrong`. */
export async function describeRequest(
  { config, settings, store }: AllowServices,
  actor: Actor,
  query: string,
): Promise<Camel<AssistantRequest>> {
  const { AccessTokens } = await settings.read()
  // Across: a client belongs to no organisation, and a person may work in several.
  return store.across(async (db) => {
    const request = await readAuthorisationRequest(db, config.publicUrl, query)
    const { client, redirectUri, problem, scopes } = request
    const refusal = problem ?? { code: 'access_denied', message: 'The person refused.' }
    return {
      clientName: client.name,
      redirectHost: new URL(redirectUri).host,
      isOnOwnComputer: isOnOwnComputer(redirectUri),
      scopes: [...scopes],
      organisations: AccessTokens ? await listAllowingOrganisations(db, actor) : [],
      problem: problem?.message ?? null,
      refusalUrl: answer(config, request, { error: refusal.code, error_description: refusal.message }),
    }
  })
}

async function listAllowingOrganisations(db: Db, { memberships, providerRole }: Actor) {
  const candidates = await listTokenOrganisations(db, providerRole === null ? Object.keys(memberships) : null)
  const allowing = []
  for (const candidate of candidates) if (await assistantsAllowed(db, candidate.id)) allowing.push(candidate)
  return allowing
}

/** RFC 9207: the issuer in the answer, so that an assistant with several servers cannot be made to confuse them. */
function answer(
  { publicUrl }: Pick<AppServices['config'], 'publicUrl'>,
  { redirectUri, state }: AuthorisationRequest,
  parameters: Readonly<Record<string, string>>,
): string {
  return answerAddress(redirectUri, { ...parameters, state, iss: publicUrl })
}

/** Returns the address with the code. Throws `oauthRequestWrong`, `assistantsOff`, `tokensOff` and `tokensMax`. */
export async function allowAssistant(
  services: AllowServices,
  auditContext: CallerContext,
  query: string,
): Promise<string> {
  const { audit, clock, config, mailer, settings, store } = services
  const { organisationId, actor } = auditContext
  if (!(await settings.read()).AccessTokens) throw tokensOffFault('provider')
  // Across: a client belongs to no organisation.
  return store.across(async (db) => {
    const request = await readAuthorisationRequest(db, config.publicUrl, query)
    const { client, problem, redirectUri, challenge, scopes } = request
    if (problem !== null) throw detailedFault('oauthRequestWrong', problem.message)
    const allowed = await requireAllowed(db, organisationId)
    const now = clock.now()
    const count = await countValidTokens(db, organisationId, { userId: actor.userId, now: isoTime(now) })
    if (count >= tokenLimits.perOwnerMax) throw new ApiFault('tokensMax', { values: { max: tokenLimits.perOwnerMax } })
    const code = generateToken('code')
    await insertCode(db, organisationId, {
      codeHash: hashOf(code),
      userId: actor.userId,
      clientId: client.id,
      redirectUri,
      challenge,
      scopes: [...scopes],
      expiresAt: isoTime(now + oauthLimits.codeMs),
    })
    await audit.record(db, auditContext, {
      action: 'assistant.allowed',
      object: { type: 'assistant', id: client.id },
      detail: { after: { name: client.name }, redirectHost: new URL(redirectUri).host, scopes },
    })
    await mailer.enqueue(
      db,
      actor.emailAddress,
      assistantAllowed({ companyName: allowed.name, url: tokensPage(config) }),
    )
    return answer(config, request, { code })
  })
}

async function requireAllowed(db: Db, organisationId: string) {
  const [found] = await listTokenOrganisations(db, [organisationId])
  if (found === undefined) throw tokensOffFault('organisation')
  await requireAssistants(db, organisationId)
  return found
}

function tokensPage({ publicUrl }: Pick<AppServices['config'], 'publicUrl'>): string {
  return `${publicUrl}/profile/access-tokens`
}
