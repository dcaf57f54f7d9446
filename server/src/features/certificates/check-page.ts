/** The page on which anyone checks a certificate. */
import type { CertificateCheck } from '@tributary/contract/certificates'
import type { Camel } from '@tributary/contract/wire'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { html, raw, type StaticPage, staticPage } from '../../kernel/text/html.ts'

export function renderCheckPage(outcome: Camel<CertificateCheck> | ApiFault): StaticPage {
  if (outcome instanceof ApiFault) return page('Unknown certificate', html`<p>${outcome.message}</p>`)
  const { issuedAtUtc, meaning } = outcome
  const facts = html`<dl>
      <dt>Issued</dt>
      <dd><time datetime="${issuedAtUtc}">${formatMoment(issuedAtUtc)}</time></dd>
      <dt>Verdict</dt>
      <dd>${meaning}</dd>
    </dl>
    <p>
      This page confirms only that. To check the figures of a certificate, ask its holder for the certificate’s JSON
      file and compute the SHA-256 of the file: it must be the hash in this page’s address.
    </p>`
  return page('This certificate was issued', facts)
}

function page(title: string, content: string): StaticPage {
  return staticPage(
    `${title} - Tributary`,
    style,
    html`<main>
      <h1>${title}</h1>
      ${raw(content)}
    </main>`,
  )
}

/** In UTC, because the reader’s time zone is not known. */
function formatMoment(time: string): string {
  return `${new Date(time).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })} UTC`
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#17202a, #e8ecf1); --paper: light-dark(#ffffff, #12171d); --line: light-dark(#cfd6de, #364250) }
* { box-sizing: border-box }
body { margin: 0; padding: 2rem 1.25rem; font: 17px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
main { max-width: 38rem; margin: 0 auto }
h1 { font-size: 1.6rem; line-height: 1.25 }
dl { border-block: 1px solid var(--line); padding-block: 1rem } dt { font-size: .85rem; font-weight: 600 } dd { margin: 0 0 .75rem } dd:last-child { margin: 0 }
`
