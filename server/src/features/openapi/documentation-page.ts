/** Renders the API description as an HTML page without scripts. Supports dark mode and screen readers. */
import { html, raw, type StaticPage, staticPage } from '../../kernel/text/html.ts'
import type { OpenApiDocument, OpenApiOperation } from './openapi.ts'

export function renderPage(api: OpenApiDocument): StaticPage {
  const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '')
  const sections = [...byTag].map(
    ([tag, some]) =>
      html`<section aria-labelledby="${tag}">
        <h2 id="${tag}">${capitalise(tag)}</h2>
        ${raw(some.map(renderOperation).join(''))}
      </section>`,
  )
  const links = [...byTag.keys()].map((tag) => html`<li><a href="#${tag}">${capitalise(tag)}</a></li>`)
  const body = html`<a class="skip" href="#calls">Skip to the calls</a>
    <header>
      <h1>${api.info.title} API</h1>
      <p>${api.info.description}</p>
      <p>Machine-readable: <a href="openapi.json">openapi.json</a> (OpenAPI ${api.openapi}).</p>
    </header>
    <nav aria-label="Calls by subject">
      <ul>
        ${raw(links.join(''))}
      </ul>
    </nav>
    <main id="calls" tabindex="-1">${raw(sections.join(''))}</main>`
  return staticPage(`${api.info.title} API`, style, body)
}

function renderOperation({
  path,
  method,
  operation,
}: {
  path: string
  method: string
  operation: OpenApiOperation
}): string {
  const parts = [
    html`<h3><span class="method">${method}</span> <code>/api${path}</code></h3>
      <p>${operation.summary} ${operation.description}</p>`,
    renderParameters(operation),
    ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => renderSchema('Request body', schema)),
    ...Object.entries(operation.responses).map(([status, response]) => renderResponse(status, response)),
  ]
  return html`<article id="${operation.operationId}">${raw(parts.join(''))}</article>`
}

function renderParameters({ parameters }: OpenApiOperation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: where, required, schema }) =>
      html`<tr>
        <th scope="row"><code>${name}</code></th>
        <td>${where}</td>
        <td>${required ? 'required' : 'optional'}</td>
        <td>${describeType(schema)}</td>
      </tr>`,
  )
  return html`<div class="wide" tabindex="0" role="group" aria-label="Parameters">
    <table>
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">In</th>
          <th scope="col">Required</th>
          <th scope="col">Type</th>
        </tr>
      </thead>
      <tbody>
        ${raw(rows.join(''))}
      </tbody>
    </table>
  </div>`
}

function renderResponse(status: string, { description, content }: OpenApiOperation['responses'][string]): string {
  if (content === undefined || status.startsWith('4'))
    return html`<p class="answer"><b>${status}</b> ${description}</p>`
  return Object.values(content)
    .map(({ schema }) => renderSchema(`Response ${status}`, schema))
    .join('')
}

function renderSchema(title: string, schema: unknown): string {
  return html`<details>
    <summary>${title}</summary>
    <pre tabindex="0">${JSON.stringify(schema, null, 2)}</pre>
  </details>`
}

function describeType({
  type,
  format,
  enum: choices,
}: {
  readonly type?: unknown
  readonly format?: unknown
  readonly enum?: readonly unknown[] | undefined
}): string {
  if (choices !== undefined) return choices.map(String).join(' | ')
  return [type, format].filter((word) => typeof word === 'string').join(', ')
}

function capitalise(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1)
}

const style = `
:root { color-scheme: light dark; --ink: light-dark(#17202a, #e8ecf1); --paper: light-dark(#ffffff, #12171d); --faint: light-dark(#f1f4f7, #1b232c);
  --line: light-dark(#cfd6de, #364250); --link: light-dark(#0b5cad, #7cb8f5) }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper) }
h1 { font-size: 1.9rem; line-height: 1.2 } h2 { margin-top: 3rem; border-bottom: 1px solid var(--line) } h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere }
a { color: var(--link) } a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
.skip { position: absolute; left: -99rem } .skip:focus { position: static }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; list-style: none }
article { margin: 1.25rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 8px }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700 }
.answer { margin: .4rem 0; white-space: pre-line }
.wide, pre { overflow-x: auto } table { border-collapse: collapse; margin: .75rem 0 } th, td { padding: .3rem .75rem .3rem 0; text-align: left; border-bottom: 1px solid var(--line); font-weight: 400 } thead th { font-weight: 600 }
pre { padding: .75rem; background: var(--faint); border-radius: 6px; font-size: .85rem } summary { cursor: pointer; padding: .3rem 0 }
`
