/** Serves the API description as JSON and as a page. Public, because it holds nothing that the source code does not. */
import type { AppRoutes } from '../../app-services.ts'
import { jsonCompression } from '../../kernel/http/compressed.ts'
import { describeApi } from './openapi.ts'
import { renderPage } from './documentation-page.ts'

export function documentationRoutes({ http, services }: AppRoutes): void {
  const documents = memoise(() => describe(services.config.publicUrl))
  http.get('/api/openapi.json', { compress: jsonCompression }, async (_, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send(documents().description),
  )
  http.get('/api/docs', async (_, reply) => {
    const { page, policy } = documents()
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' })
      .send(page)
  })
}

function describe(publicUrl: string) {
  const description = describeApi(publicUrl)
  return { description: JSON.stringify(description), ...renderPage(description) }
}

/** Memoises the result. Lazy, because describing every route would delay the start by half a second. */
function memoise<T>(make: () => T): () => T {
  let memo: { readonly value: T } | null = null
  return () => (memo ??= { value: make() }).value
}
