/** The tables without a retention rule, with the reason. */
export const lasting: Readonly<Record<string, string>> = {
  mail: 'for as long as keepMail says, once it is out: retention.test.ts',
  audit_event: 'for as long as keepAudit says: below',
  audit_personal: 'goes with its event, or once the person is erased',
  audit_bridge: 'one where an update met a server from before; goes with its event',
  audit_cut: 'a row an organisation',
  load_chunk: 'a week: receipts.test.ts',
  load_file_chunk: 'goes with its file',
  run_stream: 'goes with its run',
  load: 'a receipt: the organisation’s proof of who loaded what',
  load_change: 'the organisation’s proof of what was changed; it is never taken away',
  load_slice: 'what a load replaced, so that it can be undone',
  throttle: 'cleared by the throttle itself, within a day',
  sign_in_failure: 'cleared by the breaker itself',
  setup_code: 'at most one',
  access_change: 'deleted once it has been applied, within seconds',
  server_key: 'retired by the rotation of keys',
  data_key: 'one an organisation; without it its secrets could not be read',
  restore: 'a row for each restore, which an operator does by hand',
  migration: 'a row for each migration',
  role: 'fixed',
  status: 'fixed',
  setting: 'a switch of the provider each',
  report_mark: 'evidence of what was reported',
  closed_period_change: 'evidence of what happened to figures that were reported',
  closed_period_date: 'a row whenever a closing date moves; it explains which changes are listed',
  alert: 'goes with its incident',
  alert_channel: 'what customers made, until they delete it',
  certificate: 'its holder can check it at any time',
  auditor_look: 'goes with its room',
  saved_query: 'what customers made, until they delete it',
  reading_login: 'until an administrator removes it or the connector is disconnected',
  assistant_source: 'what an organisation decided, as long as it exists',
  portal_user: 'for as long as the account is there',
  passkey: 'for as long as the account is there',
  totp: 'for as long as the account is there',
  recovery_code: 'for as long as the account is there',
  external_identity: 'for as long as the account is there',
  membership: 'as long as the person is a member',
  oauth_grant: 'one a person and app; gone with its app',
  oauth_tenant: 'gone with its grant',
  stream_verification: 'one row a table: what its latest verification came to',
  organisation: 'what customers made, until they delete it',
  ...Object.fromEntries(
    `connector connector_property connector_user connector_licence connector_share connector_stream dictionary_words
     connector_tenant oauth_app product_credential database_credential warehouse warehouse_principal table_sync tie_out_line closed_period
     history_reason history_retention
     area subarea area_subarea version milestone helper_table physical_table entity slice
     permission_group group_pair group_milestone group_user helper_table_user entity_user`
      .split(/\s+/)
      .map((table) => [table, 'what customers made, until they delete it']),
  ),
}
