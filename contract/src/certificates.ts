/** Certificates: what was proven, when and with which verdict. Anyone who holds one can check its hash. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { forVisitors, ofClient } from './route-parts.ts'

export const Certificate = z.object({
  Id: z.uuid(),
  Subject: z.string(),
  /**
   * Which one of its subject: of a tie-out the run and the month, `<run>/2026-10-01`; of a verification the connector, the time of the
   * latest and the verdict; of a mark its id and the verdict.
   */
  SubjectKey: z.string(),
  Title: z.string(),
  /** The first day of the month that it is about. */
  Period: z.iso.date().nullable(),
  Verdict: z.string(),
  /** The connector that it is about. Null: the organisation as a whole. */
  ConnectorId: z.uuid().nullable(),
  /** SHA-256 of its document, in hexadecimal. */
  Hash: z.string(),
  /** Where anyone can check the hash. */
  CheckAddress: z.string(),
  IssuedAtUtc: z.iso.datetime(),
  IssuedById: z.uuid(),
  IssuedBy: z.string(),
})
export type Certificate = z.infer<typeof Certificate>

export const CertificateDocument = Certificate.extend({
  /** Canonical JSON: sorted names, no spaces, UTF-8. Its SHA-256 is the hash. */
  Document: z.string(),
})
export type CertificateDocument = z.infer<typeof CertificateDocument>

/** Neither names nor figures. */
export const CertificateCheck = z.object({
  IssuedAtUtc: z.iso.datetime(),
  Verdict: z.string(),
  /** The verdict in words. */
  Meaning: z.string(),
})
export type CertificateCheck = z.infer<typeof CertificateCheck>

export const certificates = {
  check: route({
    ...forVisitors,
    method: 'GET',
    path: '/certificates/:hash',
    summary:
      'Confirm that a certificate was issued, when, and with which verdict. Browsers get a page, other programs JSON.',
    params: z.object({ hash: z.string() }),
    reply: CertificateCheck,
    hasPage: true,
    faults: ['certificateUnknown'],
  }),
  list: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path: '/tributary/clients/:clientId/certificates',
    summary: 'The certificates of the connectors that the caller sees, latest first; the latest thousand.',
    forAuditors: 'Certificates',
    allow: 'seeRuns',
    ...ofClient,
    query: z.strictObject({ connectorId: Id.optional() }),
    reply: z.array(Certificate),
  }),
  read: route({
    tokenScopes: ['data.read'],
    method: 'GET',
    path: '/tributary/clients/:clientId/certificates/:certificateId',
    summary: 'A certificate with its document, from which the hash can be computed. Recorded in the audit log.',
    forAuditors: 'Certificate',
    allow: 'seeRuns',
    scope: ofClient.scope,
    params: ofClient.params.extend({ certificateId: Id }),
    reply: CertificateDocument,
  }),
} as const
