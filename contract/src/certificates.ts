/** Certificates: what was proven, when and with which verdict. Anyone who holds one can check its hash. */
import * as z from 'zod'
import { Id } from './id.ts'
import { route } from './route.ts'
import { forVisitors, ofClient } from './route-parts.ts'

interface CertifiedSubject {
  /** A sentence for each verdict, which says what it means without naming the organisation or a figure. */
  readonly verdicts: Readonly<Record<string, string>>
}

/** What is certified. The feature of the subject issues its certificates. */
export const certificateSubjects = {
  tieOut: {
    verdicts: {
      green: 'Every account of the month was equal to the trial balance that the source itself reported, to the cent.',
      amber:
        'The month could not be compared in full, or accounts differed only by what the source computes beyond its documents.',
      red: 'At least one account of the month differed from the trial balance that the source itself reported.',
    },
  },
  verification: {
    verdicts: {
      proven: 'Every value of every table was equal in the source and in its copy, by checksums of both databases.',
      sampled: 'Counts, totals and documents that were read again from the source were equal in its copy.',
      notProvable: 'The source offers nothing that its copy could be compared with.',
      unproven: 'Not every table was verified, or rows differed that may have changed in the source meanwhile.',
      differs: 'At least one row differed between the source and its copy.',
    },
  },
  mark: {
    verdicts: {
      kept: 'The books of a period were marked as reported, and what they showed then is kept unchanged.',
      superseded:
        'The books of a period were marked as reported, and the mark was superseded later. What it shows is kept unchanged.',
    },
  },
} as const satisfies Readonly<Record<string, CertifiedSubject>>
export type CertificateSubject = keyof typeof certificateSubjects
export type CertificateVerdict<Subject extends CertificateSubject> =
  keyof (typeof certificateSubjects)[Subject]['verdicts'] & string

/** An unknown verdict, which a later version issued, is shown as it is. */
export function describeVerdict(subject: string, verdict: string): string {
  const known: Readonly<Record<string, CertifiedSubject>> = certificateSubjects
  return known[subject]?.verdicts[verdict] ?? verdict
}

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
