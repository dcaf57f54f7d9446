/** Required query strings of routes. */
export const sampleQueries: Readonly<Record<string, string>> = {
  'GET /tributary/clients/:clientId/schedule': '?cron=0%206%20*%20*%201-5',
  'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/lines': '?period=2026-10-01',
  'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/documents': '?period=2026-10-01&accountId=sales',
  'GET /tributary/clients/:clientId/data/tables/:schema/:table/profile': '?column=id',
  'GET /tributary/clients/:clientId/connectors/:connectorId/dictionary': '?table=orders',
  'PUT /tributary/clients/:clientId/connectors/:connectorId/dictionary': '?table=orders',
  'GET /oauth/authorisation': '?request=client_id%3Dnonsense',
  'GET /registration/verify': '?emailAddress=newcomer%40example.com',
  'GET /registration/finalise': '?code=nonsense',
  'GET /reset-password/validate': '?token=nonsense',
}
