import type { Certificate as IssuedCertificate } from '@tributary/contract/certificates'
import type { TieOut, TieOutLine, TieOutPeriod } from '@tributary/contract/tie-out'
import type { ReactNode } from 'react'
import { now } from '@tributary/client/server-clock'
import { useConnectorType } from '../../domain/connectors/use-connector-type.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { NotComparedBadge, TieOutBadge } from '../../domain/tie-out/tie-out-badge.tsx'
import { type CompanyFigures, describeCompanies, figuresByCompany } from './company-figures.ts'
import css from './certificate.module.css'
import { FiguresTable } from './figures-table.tsx'
import { describeBasis, describeCorrections, formatMonth } from './tie-out-wording.ts'
import { formatMoment } from '../../ui/formats.ts'

export interface CertificateData {
  readonly tieOut: TieOut
  readonly month: TieOutPeriod
  readonly lines: readonly TieOutLine[]
  readonly connectorName: string
  /** Undefined: not issued yet. */
  readonly issued: IssuedCertificate | undefined
}

export function Certificate({ tieOut, month, lines, connectorName, issued }: CertificateData) {
  const { organisation } = useWorkspace()
  const { title: source } = useConnectorType()
  const correction = tieOut.Mended.includes(month.Period) ? describeCorrections({ Mended: [month.Period] }) : null
  return (
    <article className={css.sheet} aria-labelledby="certificate" data-prints>
      <header className={css.head}>
        <div>
          <h2 id="certificate" className={css.title}>
            {`Tie-out of ${describeCompanies(tieOut)}`}
          </h2>
          <p className={css.month}>{formatMonth(month.Period)}</p>
        </div>
        <TieOutBadge state={month.State} />
      </header>
      <dl className={css.facts}>
        <CertificateFact label={tieOut.Companies.length === 0 ? 'Company' : 'Companies'}>
          {`${tieOut.Company} in ${source}`}
        </CertificateFact>
        <CertificateFact label="Organisation">{organisation.CompanyName}</CertificateFact>
        <CertificateFact label="Connector">{connectorName}</CertificateFact>
        <CertificateFact label="Base currency">{describeCurrency(tieOut, source)}</CertificateFact>
        <CertificateFact label="Checked">{formatMoment(tieOut.CheckedAtUtc, 'exact')}</CertificateFact>
        <CertificateFact label="Run">
          <code>{tieOut.RunId}</code>
        </CertificateFact>
        <CertificateFact label="Computed">{describeBasis(tieOut)}</CertificateFact>
      </dl>
      <p className={css.result}>{describeResult(month, source)}</p>
      {month.State !== 'green' && tieOut.Notice !== null ? <p>{tieOut.Notice}</p> : null}
      {correction === null ? null : <p>{correction}</p>}
      {tieOut.Companies.length === 0 ? (
        <FiguresTable lines={lines} currency={tieOut.Currency} />
      ) : (
        figuresByCompany(tieOut, lines).map((figures) => (
          <CompanySection key={figures.company.Id} figures={figures} month={formatMonth(month.Period)} />
        ))
      )}
      <CertificateMeaning state={month.State} source={source} />
      <footer className={css.foot}>
        {issued === undefined ? (
          <p>Not issued: this page has no hash that others can check.</p>
        ) : (
          <IssuedFacts issued={issued} />
        )}
        <p>{`Printed from Tributary, ${formatMoment(now(), 'exact')}`}</p>
      </footer>
    </article>
  )
}

export function IssuedFacts({ issued }: { readonly issued: IssuedCertificate }) {
  return (
    <>
      <p>{`Issued ${formatMoment(issued.IssuedAtUtc, 'exact')} by ${issued.IssuedBy}. SHA-256 of its JSON file:`}</p>
      <p>
        <code>{issued.Hash}</code>
      </p>
      <p>
        Anyone can check it: <a href={issued.CheckAddress}>{issued.CheckAddress}</a>
      </p>
    </>
  )
}

export function CertificateFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function CompanySection({ figures, month }: { readonly figures: CompanyFigures; readonly month: string }) {
  const { company, lines, state } = figures
  return (
    <section className={css.company} aria-label={company.Name}>
      <header className={css.head}>
        <h3>{company.Name}</h3>
        {company.Compared ? <TieOutBadge state={state} /> : <NotComparedBadge />}
      </header>
      {lines.length === 0 ? (
        <p>{company.Compared ? `It has no movements in ${month}.` : (company.Notice ?? 'It could not be compared.')}</p>
      ) : (
        <FiguresTable lines={lines} currency={company.Currency} of={company.Name} />
      )}
    </section>
  )
}

function describeCurrency({ Currency, Companies }: TieOut, source: string): string {
  if (Currency !== null) return Currency
  return Companies.length === 0 ? `not reported by ${source}` : 'shown with each company'
}

function describeResult({ State, Accounts, Differing, Period }: TieOutPeriod, source: string): string {
  const month = formatMonth(Period)
  if (State === 'green')
    return `Every one of the ${Accounts} accounts of ${month} is equal to the trial balance of ${source}, to the cent.`
  const which = Differing === 1 ? '1 account' : `${Differing} accounts`
  if (State === 'red')
    return `Of the ${Accounts} accounts of ${month}, ${which} differ${Differing === 1 ? 's' : ''} from the trial balance of ${source}.`
  return Differing === 0
    ? `${month} could not be compared in full; what was compared is equal to the trial balance of ${source}.`
    : `Of the ${Accounts} accounts of ${month}, ${which} differ${Differing === 1 ? 's' : ''}, and only by what ${source} computes beyond its documents.`
}

function CertificateMeaning({ state, source }: { state: TieOutPeriod['State']; source: string }) {
  return (
    <section className={css.meaning} aria-labelledby="certificate-meaning">
      <h3 id="certificate-meaning">What this proves, and what it does not</h3>
      <ul>
        <li>
          {state === 'green' ? 'It proves that at the time of checking' : 'It shows how far at the time of checking'}{' '}
          the rows in the organisation’s database come to the same movements, account by account, as the trial balance
          that {source} itself reported.
        </li>
        <li>Both figures were computed independently: one from the rows in the database, the other by {source}.</li>
        <li>It does not prove that the books themselves are right or complete, nor anything about other months.</li>
        <li>Later changes in {source} are not included; the next run compares again.</li>
      </ul>
    </section>
  )
}
