/** Routes of the provider's workbench for descriptions of sources. */
import { workbench } from '@tributary/contract/workbench'
import type { AppRoutes } from '../../app-services.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { requireFound } from '../../kernel/http/api-fault.ts'
import type { ThrottleLimit } from '../../security/throttling/throttle.ts'
import { proveWorkbenchStream, tryWorkbenchStream } from './call-source.ts'
import { checkText, draftFrom } from './draft-and-check.ts'
import { findDescription, listDescriptions } from './queries.ts'
import { createDescription, removeDescription, saveDescription } from './save-description.ts'

const hourMs = 3_600_000
/** A proof of a long description has two calls a stream. */
const callLimit: ThrottleLimit = {
  kind: 'workbench person',
  free: 400,
  waitMs: 10_000,
  waitMaxMs: 600_000,
  windowMs: hourMs,
  isShared: true,
}

export function workbenchRoutes(app: AppRoutes): void {
  const { services } = app
  const count = ({ userId }: Actor) => services.throttle.attempt(callLimit, userId)

  // Across, here and below: these descriptions belong to no organisation, and only superadmins may see them.
  app.bind(workbench.list, ({ store }) => store.across(listDescriptions))
  app.bind(workbench.read, async ({ store, params }) =>
    requireFound(await store.across((db) => findDescription(db, params.descriptionId))),
  )
  app.bind(workbench.create, ({ store, auditContext, body }) =>
    store.across((db) => createDescription(db, services, auditContext, body)),
  )
  app.bind(workbench.save, ({ store, auditContext, params, body }) =>
    store.across((db) => saveDescription(db, services, auditContext, { id: params.descriptionId, ...body })),
  )
  app.bind(workbench.remove, ({ store, auditContext, params }) =>
    store.across((db) => removeDescription(db, services, auditContext, params.descriptionId)),
  )

  app.bind(workbench.draft, async ({ actor, body }) => {
    await count(actor)
    return draftFrom(body)
  })
  app.bind(workbench.check, async ({ actor, body }) => {
    await count(actor)
    return checkText(body.text)
  })
  app.bind(workbench.try, async ({ actor, auditContext, signal, body }) => {
    await count(actor)
    return tryWorkbenchStream(services, { auditContext, signal }, body)
  })
  app.bind(workbench.prove, async ({ actor, auditContext, signal, body }) => {
    await count(actor)
    return proveWorkbenchStream(services, { auditContext, signal }, body)
  })
}
