/** The feed while the server of the warehouse does not answer. */
import { connectors } from '@tributary/contract/connectors'
import { dictionary } from '@tributary/contract/dictionary'
import { overview } from '@tributary/contract/overview'
import { fillWarehouse, getFeed } from '@tributary/testing/server/access/odata-feed.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { type ClosableProxy, openClosableProxy } from '@tributary/testing/server/processes/closable-proxy.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let proxy: ClosableProxy
beforeAll(async () => {
  app = await testApp()
  await fillWarehouse(app, 'CREATE SCHEMA shop; CREATE TABLE shop.item (id int PRIMARY KEY)')
  const { warehouse } = app.services
  proxy = await openClosableProxy({ host: warehouse.host, port: warehouse.port })
  const admin = { ...warehouse.admin, host: '127.0.0.1', port: proxy.port }
  Object.assign(app.services, { warehouse: { ...warehouse, admin } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  proxy.close()
})

const paths = ['/', '/$metadata', '/shop_item', '/shop_item/$count', '/shop_item(1)']

test('[SEE-8] without the warehouse the feed answers 503 in its error form with a time to try again, the portal works, and the feed comes back', async () => {
  expect((await getFeed(app, '/shop_item')).status).toBe(200)
  proxy.close()
  for (const path of paths) {
    const { status, headers, body } = await getFeed(app, path)
    expect([path, status, headers['retry-after'], headers['odata-version'], body.error]).toEqual([
      path,
      503,
      '5',
      '4.01',
      { code: 'warehouseUnreachable', message: expect.stringContaining('try again in a moment') as string },
    ])
  }
  const params = { clientId: app.harbour.id }
  const others = [
    app.as.admin.call(connectors.list, { params }),
    app.as.admin.call(overview.read, { params }),
    app.as.admin.call(dictionary.list, { params, query: {} }),
  ]
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200])
  await proxy.open()
  expect((await getFeed(app, '/shop_item')).status).toBe(200)
})
