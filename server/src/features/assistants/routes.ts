/** Routes of the switches of assistants. */
import { type AssistantPolicy, assistants } from '@tributary/contract/assistants'
import type { Camel } from '@tributary/contract/wire'
import { readAssistantPolicy, sourceTypesForAssistants } from '../../access/assistants/switches.ts'
import { applyAccess } from '../../access/logins/apply-access.ts'
import type { AppRoutes, AppServices } from '../../app-services.ts'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { ApiFault, badField, requireFound } from '../../kernel/http/api-fault.ts'
import type { Db } from '../../kernel/store/store.ts'
import { savePolicy, saveSourceDecision } from './queries.ts'

export function assistantRoutes(app: AppRoutes): void {
  const { services } = app
  const { audit, log, store } = services

  app.bindWithin(assistants.policy, (db, { organisationId }) => readPolicy(db, organisationId))

  app.bind(assistants.setPolicy, async ({ organisationId, auditContext, body: { allowed } }) => {
    const policy = await store.within(organisationId, async (db) => {
      if (await savePolicy(db, organisationId, allowed))
        await audit.record(db, auditContext, { action: 'assistants.switched', detail: { after: allowed } })
      return readPolicy(db, organisationId)
    })
    await applyNow(organisationId)
    return policy
  })

  app.bind(assistants.setSource, async ({ organisationId, auditContext, params, body }) => {
    const policy = await store.within(organisationId, async (db) => {
      await setSource(db, services, auditContext, { type: params.sourceType, ...body })
      return readPolicy(db, organisationId)
    })
    await applyNow(organisationId)
    return policy
  })

  /** The change is recorded, so if the warehouse is away, a worker applies it later. */
  const applyNow = (organisationId: string) =>
    applyAccess(services, organisationId).catch((error: unknown) =>
      log.warn('the rights of assistants are applied later', { error }),
    )
}

interface SourceChoice {
  readonly type: string
  readonly allowed: boolean
  readonly acceptedTerms: string | null
}

/** Throws `notFound`, `assistantTerms`, and `badInput` without the name of the source's terms. */
async function setSource(
  db: Db,
  { audit, clock }: Pick<AppServices, 'audit' | 'clock'>,
  auditContext: CallerContext,
  { type, allowed, acceptedTerms }: SourceChoice,
): Promise<void> {
  const { organisationId, actor } = auditContext
  const found = (await sourceTypesForAssistants(db, organisationId)).find((source) => source.type === type)
  const { terms, allowed: before } = requireFound(found)
  if (before === allowed) return
  const needsTerms = allowed && terms !== null
  if (needsTerms) {
    // The terms bind the organisation, not its provider.
    if (actor.providerRole !== null) throw new ApiFault('assistantTerms')
    if (acceptedTerms !== terms.name)
      throw badField('acceptedTerms', `must be the name of the terms that you confirm: ${terms.name}`)
  }
  const accepted = needsTerms ? terms.name : null
  await saveSourceDecision(db, organisationId, {
    sourceType: type,
    allowed,
    acceptedTerms: accepted,
    changedBy: actor.userId,
    changedAt: isoTime(clock.now()),
  })
  const detail = { source: type, after: allowed, ...(accepted !== null && { terms: accepted }) }
  await audit.record(db, auditContext, { action: 'assistants.source_switched', detail })
}

async function readPolicy(db: Db, organisationId: string): Promise<Camel<AssistantPolicy>> {
  const policy = await readAssistantPolicy(db, organisationId)
  const sources = await sourceTypesForAssistants(db, organisationId)
  return { ...policy, sources: sources.map((source) => ({ ...source, terms: source.terms && { ...source.terms } })) }
}
