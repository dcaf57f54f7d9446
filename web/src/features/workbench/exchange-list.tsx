/** Requests with their replies. Secrets were masked by the server. */
import type { TriedExchange } from '@tributary/contract/workbench'
import { formatSize } from '../../ui/formats.ts'
import { indentJson } from './indent-json.ts'
import css from './workbench.module.css'

interface ExchangeListProps {
  readonly exchanges: readonly TriedExchange[]
  /** The one that is open at first. */
  readonly opened: 'first' | 'last'
}

export function ExchangeList({ exchanges, opened }: ExchangeListProps) {
  if (exchanges.length === 0) return <p className="muted">Nothing was sent.</p>
  return (
    <ol className={css.exchanges}>
      {exchanges.map((exchange, index) => (
        <li key={`${index} ${exchange.Address}`}>
          <Exchange
            exchange={exchange}
            number={index + 1}
            isOpen={index === (opened === 'first' ? 0 : exchanges.length - 1)}
          />
        </li>
      ))}
    </ol>
  )
}

interface ExchangeProps {
  readonly exchange: TriedExchange
  readonly number: number
  readonly isOpen: boolean
}

function Exchange({ exchange, number, isOpen }: ExchangeProps) {
  const { Method, Address, Headers, Status, ReplyHeaders, Body, Bytes } = exchange
  const status = Status === null ? 'no complete reply' : `status ${Status}`
  return (
    <details className={css.exchange} open={isOpen}>
      <summary>
        <code>{`${Method} ${pathOf(Address)}`}</code>
        <span className="small subtle">{`${status}, ${formatSize(Bytes)}`}</span>
      </summary>
      <Part title={`Request ${number}`} text={`${Method} ${Address}\n${headerText(Headers)}`} />
      <Part title={`Reply ${number}`} text={`${headerText(ReplyHeaders)}\n\n${indentJson(Body)}`} />
    </details>
  )
}

function Part({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <>
      <p className="small subtle">{title}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key. */}
      <section className={css.part} tabIndex={0} aria-label={title}>
        <pre>{text}</pre>
      </section>
    </>
  )
}

function pathOf(address: string): string {
  const url = URL.parse(address)
  return url === null ? address : `${url.pathname}${url.search}`
}

function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}
