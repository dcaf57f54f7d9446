/** Queries of certificates. */
import { sql } from 'kysely'
import type { AuditorExtent } from '../../kernel/http/actor.ts'
import type { Db } from '../../kernel/store/store.ts'
import { isOfMarks, selectCertificates } from '../../security/certificates/certificate.ts'
import type { ConnectorVisibility } from '../../connections/connectors/connector-access.ts'
import { selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'

const maxListed = 1_000

export interface CertificateFilter extends Pick<ConnectorVisibility, 'assignedTo'> {
  readonly publicUrl: string
  /** Of an auditor room: of these marks, too, and otherwise only of its months. */
  readonly room: AuditorExtent | undefined
  readonly connectorId?: string | undefined
}

export function listCertificates(db: Db, organisationId: string, { connectorId, ...filter }: CertificateFilter) {
  return selectSeen(db, organisationId, filter)
    .$if(connectorId !== undefined, (some) => some.where('certificate.connectorId', '=', connectorId ?? ''))
    .orderBy('issuedAt', 'desc')
    .orderBy('certificate.id')
    .limit(maxListed)
    .execute()
}

export function findCertificate(
  db: Db,
  organisationId: string,
  { certificateId, ...filter }: Omit<CertificateFilter, 'connectorId'> & { readonly certificateId: string },
) {
  return selectSeen(db, organisationId, filter)
    .select('document')
    .where('certificate.id', '=', certificateId)
    .executeTakeFirst()
}

/** Those of the connectors that the caller sees; for administrators also those of the organisation as a whole. */
function selectSeen(db: Db, organisationId: string, { assignedTo, publicUrl, room }: CertificateFilter) {
  const seen = selectVisibleConnectors(db, organisationId, { assignedTo }).select('connector.id')
  const { periodFrom = null, periodTo = null, markIds = [] } = room ?? {}
  const isInMonths = sql<boolean>`coalesce(period >= ${periodFrom}::date, true) AND coalesce(period <= ${periodTo}::date, true)`
  return selectCertificates(db, organisationId, publicUrl).$if(assignedTo !== null, (some) =>
    some.where((certificate) =>
      certificate.or([
        certificate.and([certificate('certificate.connectorId', 'in', seen), isInMonths]),
        isOfMarks(markIds),
      ]),
    ),
  )
}

/** The transaction must see all organisations: the holder of a certificate is a visitor, who knows only its hash. */
export function findIssuedEverywhere(db: Db, hash: Buffer) {
  return db
    .selectFrom('certificate')
    .select(['subject', 'verdict', 'issuedAt as issuedAtUtc'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}
