/** The table of certificates. */
import type { TimeColumn } from './column-types.ts'

export interface CertificatesSchema {
  certificate: {
    id: string
    organisationId: string
    connectorId: string | null
    subject: string
    subjectKey: string
    title: string
    period: string | null
    verdict: string
    document: string
    hash: Buffer
    issuedAt: TimeColumn
    issuedBy: string
  }
}
