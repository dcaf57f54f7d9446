/** An issued certificate of a verification or a mark as a page to print: the facts of its document, and how to check it. */
import { describeVerdict } from '@tributary/contract/certificate-verdicts'
import type { CertificateDocument } from '@tributary/contract/certificates'
import { useQuery } from '@tanstack/react-query'
import { now } from '@tributary/client/server-clock'
import { callQuery } from '../../api/call-query.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { saveCertificate } from '../../domain/certificates/download-certificate.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { formatCount, formatDay, formatMoment } from '../../ui/formats.ts'
import { CertificateFact, IssuedFacts } from './certificate.tsx'
import { IssuedTools } from './certificate-tools.tsx'
import css from './certificate.module.css'

export function IssuedCertificate({ certificateId }: { readonly certificateId: string }) {
  const clientId = useOrganisationId()
  const query = useQuery(
    callQuery(
      ['certificates', clientId, 'document', certificateId],
      'GET /tributary/clients/:clientId/certificates/:certificateId',
      { params: { clientId, certificateId } },
    ),
  )
  return (
    <QueryResult query={query}>
      {(issued) => (
        <>
          <div className={css.tools} data-no-print>
            <IssuedTools onDownload={() => saveCertificate(issued)} />
          </div>
          <CertificateSheet issued={issued} />
        </>
      )}
    </QueryResult>
  )
}

/** What the documents of verifications and marks have. Those of a later version may have other members. */
interface CertifiedDocument {
  readonly organisation?: string
  readonly connector?: string
  readonly checkedAt?: string
  readonly name?: string
  readonly periodEnd?: string
  readonly moment?: string
  readonly run?: string
  readonly markedAt?: string
  readonly supersededAt?: string | null
  readonly views?: readonly string[]
  readonly tables?: readonly CertifiedTable[]
}

interface CertifiedTable {
  readonly table: string
  readonly state: string
  readonly method: string | null
  readonly checkedAt: string | null
  readonly rows: number | null
  readonly differences: number
}

function CertificateSheet({ issued }: { readonly issued: CertificateDocument }) {
  const document = JSON.parse(issued.Document) as CertifiedDocument
  return (
    <article className={css.sheet} aria-labelledby="certificate" data-prints>
      <header className={css.head}>
        <h2 id="certificate" className={css.title}>
          {issued.Title}
        </h2>
      </header>
      <dl className={css.facts}>
        {factsOf(document).map(([label, value]) => (
          <CertificateFact key={label} label={label}>
            {value}
          </CertificateFact>
        ))}
      </dl>
      <p className={css.result}>{describeVerdict(issued.Subject, issued.Verdict)}</p>
      {document.tables === undefined ? null : <CertifiedTables tables={document.tables} />}
      <footer className={css.foot}>
        <IssuedFacts issued={issued} />
        <p>{`Printed from Tributary, ${formatMoment(now(), 'exact')}`}</p>
      </footer>
    </article>
  )
}

function factsOf(document: CertifiedDocument): readonly (readonly [label: string, value: string])[] {
  const { organisation, connector, checkedAt, name, periodEnd, moment, run, markedAt, supersededAt, views } = document
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    ['Organisation', organisation],
    ['Connector', connector],
    ['Latest verification', checkedAt && formatMoment(checkedAt, 'exact')],
    ['Mark', name],
    ['Last reported day', periodEnd && formatDay(periodEnd, 'longDate')],
    ['As of', moment && formatMoment(moment, 'exact')],
    ['Run', run],
    ['Marked', markedAt && formatMoment(markedAt, 'exact')],
    ['Superseded', supersededAt && formatMoment(supersededAt, 'exact')],
    ['Views', views?.join(', ')],
  ]
  return facts.flatMap(([label, value]) =>
    value === undefined || value === null || value === '' ? [] : [[label, value] as const],
  )
}

const stateWords: Readonly<Record<string, string>> = {
  identical: 'identical',
  different: 'different',
  pending: 'rows not compared yet',
  notProvable: 'not provable',
  failed: 'not compared',
}

function CertifiedTables({ tables }: { readonly tables: readonly CertifiedTable[] }) {
  return (
    <table className={css.tables}>
      <thead>
        <tr>
          <th scope="col">Table</th>
          <th scope="col">Verification</th>
          <th scope="col">Rows</th>
          <th scope="col">Differences</th>
        </tr>
      </thead>
      <tbody>
        {tables.map(({ table, state, method, checkedAt, rows, differences }) => (
          <tr key={table}>
            <th scope="row">{table}</th>
            <td>
              {stateWords[state] ?? 'not verified yet'}
              {method === 'sample' ? ', by a sample' : ''}
              {checkedAt === null ? '' : `, ${formatMoment(checkedAt, 'exact')}`}
            </td>
            <td data-number>{rows === null ? '' : formatCount(rows)}</td>
            <td data-number>{formatCount(differences)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
