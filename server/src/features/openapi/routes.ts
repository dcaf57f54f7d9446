/** The API, described for programs and for people; open to everybody, for it tells nothing that the source does not. */
import type { App } from '../../app-services.ts'
import { compressed } from '../../kernel/http/compressed.ts'
import { describeApi } from './openapi.ts'
import { renderPage } from './documentation-page.ts'

export function documentationRoutes({ http, services }: App): void {
  const description = describeApi(services.config.publicUrl)
  const text = JSON.stringify(description)
  const { page, policy } = renderPage(description)
  http.get('/api/openapi.json', { compress: compressed }, async (_, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=300').send(text),
  )
  http.get('/api/docs', async (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': policy, 'cache-control': 'public, max-age=300' })
      .send(page),
  )
}
