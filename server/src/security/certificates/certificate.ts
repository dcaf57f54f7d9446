/**
 * Certificates. A feature calls `issueCertificate` with the facts of its subject; the hash of their canonical JSON is what anyone can
 * check later. A certificate is never changed or deleted.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { CertificateSubject, CertificateVerdict } from '@tributary/contract/certificate-verdicts'
import { type RawBuilder, sql } from 'kysely'
import type { CallerContext } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { canonicalJson } from '../../kernel/text/canonical-json.ts'
import type { SecurityServices } from '../security-services.ts'

export interface CertifiedFacts<Subject extends CertificateSubject> {
  readonly subject: Subject
  /** Identifies what is certified among all of the subject. The second certificate of it is the first one. */
  readonly subjectKey: string
  readonly verdict: CertificateVerdict<Subject>
  readonly title: string
  /** The first day of the month that it is about. */
  readonly period: string | null
  readonly connectorId: string | null
  /** For the document, in addition to the above: texts, integers and lists of them. Amounts are texts, because numbers are inexact. */
  readonly facts: Readonly<Record<string, unknown>>
}

type CertificateServices = Pick<SecurityServices, 'audit' | 'clock'>

/** Returns the id of the certificate, which may have been issued before. The document does not name who issued it. */
export async function issueCertificate<Subject extends CertificateSubject>(
  { audit, clock }: CertificateServices,
  db: Db,
  auditContext: CallerContext,
  { facts, ...subject }: CertifiedFacts<Subject>,
): Promise<string> {
  const { organisationId, actor } = auditContext
  const earlier = await findCertificateId(db, organisationId, subject)
  if (earlier !== undefined) return earlier
  const id = randomUUID()
  const issuedAt = isoTime(clock.now())
  // The random id keeps figures secret: without it, someone could guess them until the hash agrees.
  const document = canonicalJson({ ...facts, ...subject, certificate: id, issuedAt, issuer: 'Tributary', version: 1 })
  const inserted = await db
    .insertInto('certificate')
    .values({
      id,
      organisationId,
      ...subject,
      document,
      hash: hashDocument(document),
      issuedAt,
      issuedBy: actor.userId,
    })
    .onConflict((conflict) => conflict.columns(['organisationId', 'subject', 'subjectKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return (await findCertificateId(db, organisationId, subject)) ?? id
  const detail = { subject: subject.subject, verdict: subject.verdict, after: { name: subject.title } }
  await audit.record(db, auditContext, {
    action: 'certificate.issued',
    object: { type: 'certificate', id },
    detail,
  })
  return id
}

/** For queries of certificates: those of marks. Their keys begin with the id of the mark. */
export function isOfMarks(markIds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(certificate.subject = 'mark' AND split_part(certificate.subjectKey, '/', 1) = ANY (${[...markIds]}::text[]))`
}

async function findCertificateId(
  db: Db,
  organisationId: string,
  { subject, subjectKey }: { readonly subject: string; readonly subjectKey: string },
): Promise<string | undefined> {
  const found = await db
    .selectFrom('certificate')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('subject', '=', subject)
    .where('subjectKey', '=', subjectKey)
    .executeTakeFirst()
  return found?.id
}

function hashDocument(document: string): Buffer {
  return createHash('sha256').update(document).digest()
}

/** Certificates as the API shows them, without an order. @param publicUrl the address of the installation */
export function selectCertificates(db: Db, organisationId: string, publicUrl: string) {
  return db
    .selectFrom('certificate')
    .innerJoin('portalUser', 'portalUser.id', 'certificate.issuedBy')
    .select(['certificate.id', 'subject', 'subjectKey', 'title', 'period', 'verdict', 'certificate.connectorId'])
    .select([
      sql<string>`encode(hash, 'hex')`.as('hash'),
      sql<string>`${`${publicUrl}/api/certificates/`} || encode(hash, 'hex')`.as('checkAddress'),
      'issuedAt as issuedAtUtc',
      'issuedBy as issuedById',
      sql<string>`portalUser.firstName || ' ' || portalUser.lastName`.as('issuedBy'),
    ])
    .where('certificate.organisationId', '=', organisationId)
}
