/** Queries of certificates. */
import type { Db } from '../../kernel/store/store.ts'
import { selectCertificates } from '../../security/certificates/certificate.ts'
import type { ConnectorVisibility } from '../../connections/connectors/connector-access.ts'
import { selectVisibleConnectors } from '../../connections/connectors/connector-access.ts'

const maxListed = 1_000

export interface CertificateFilter extends Pick<ConnectorVisibility, 'assignedTo'> {
  readonly publicUrl: string
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
function selectSeen(db: Db, organisationId: string, { assignedTo, publicUrl }: CertificateFilter) {
  const seen = selectVisibleConnectors(db, organisationId, { assignedTo }).select('connector.id')
  return selectCertificates(db, organisationId, publicUrl).$if(assignedTo !== null, (some) =>
    some.where('certificate.connectorId', 'in', seen),
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
