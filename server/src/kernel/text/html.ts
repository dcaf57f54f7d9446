/** Pages without scripts that the server writes itself. */
import { createHash } from 'node:crypto'

export interface StaticPage {
  readonly page: string
  /** The content security policy, which allows only the page's own style, by the hash of the element's content. */
  readonly policy: string
}

class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Marks text as HTML that needs no escaping. */
export function raw(text: string): Raw {
  return new Raw(text)
}

/** Template tag that escapes all values except those marked with `raw`. */
export function html(parts: TemplateStringsArray, ...values: (string | Raw)[]): string {
  return parts.reduce((text, part, at) => text + escape(values[at - 1] ?? '') + part)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(value: string | Raw): string {
  return value instanceof Raw
    ? value.text
    : value.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? character)
}

export function staticPage(title: string, style: string, body: string): StaticPage {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        ${raw(`<style>${style}</style>`)}
      </head>
      <body>
        ${raw(body)}
      </body>
    </html>`
  const hash = createHash('sha256').update(style).digest('base64')
  return {
    page,
    policy: `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}
