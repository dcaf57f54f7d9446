/** Certificates for those who see what is certified, and the check of a hash for everyone. */
import { describeVerdict } from '@tributary/contract/certificate-verdicts'
import { certificates } from '@tributary/contract/certificates'
import type { AppRoutes } from '../../app-services.ts'
import { assignmentFilter } from '../../connections/connectors/connector-access.ts'
import { roomIn } from '../../kernel/http/actor.ts'
import { ApiFault, notFound } from '../../kernel/http/api-fault.ts'
import { withPage } from '../../kernel/http/page-reply.ts'
import type { RouteCall } from '../../kernel/http/bind.ts'
import { renderCheckPage } from './check-page.ts'
import { findCertificate, findIssuedEverywhere, listCertificates } from './queries.ts'

export function certificateRoutes(app: AppRoutes): void {
  const { audit, config } = app.services
  const { publicUrl } = config

  app.bind(certificates.check, withPage(checkHash, renderCheckPage))

  app.bindWithin(certificates.list, (db, { actor, organisationId, query }) => {
    const seenBy = { publicUrl, assignedTo: assignmentFilter(actor), room: roomIn(actor, organisationId) }
    return listCertificates(db, organisationId, { ...seenBy, ...query })
  })

  app.bindWithin(certificates.read, async (db, { actor, auditContext, organisationId, params }) => {
    const { certificateId } = params
    const seenBy = { publicUrl, assignedTo: assignmentFilter(actor), room: roomIn(actor, organisationId) }
    const found = await findCertificate(db, organisationId, { ...seenBy, certificateId })
    if (found === undefined) throw notFound()
    const object = { type: 'certificate', id: certificateId }
    await audit.record(db, auditContext, {
      action: 'certificate.downloaded',
      object,
      detail: { after: { name: found.title } },
    })
    return found
  })
}

/** A known and an unknown hash take the same query, and neither takes another one. */
async function checkHash({ params, store }: RouteCall<typeof certificates.check>) {
  const hash = Buffer.from(/^[0-9a-f]{64}$/iu.test(params.hash) ? params.hash : '', 'hex')
  // Across: a visitor has no organisation.
  const found = await store.across((db) => findIssuedEverywhere(db, hash))
  if (found === undefined) throw new ApiFault('certificateUnknown')
  const { subject, ...issued } = found
  return { ...issued, meaning: describeVerdict(subject, issued.verdict) }
}
