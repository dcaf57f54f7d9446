import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

/** Redacts the configuration's secrets from all log lines. */
export function redactConfigSecrets(
  log: Log,
  { captcha, databaseUrl, metricsToken, tracing, warehouseUrl, smtpUrl }: Config,
): void {
  for (const secret of [captcha.secret, metricsToken, ...Object.values(tracing?.exporter.headers ?? {})])
    if (secret !== null) log.redactSecret(secret)
  for (const text of [databaseUrl, warehouseUrl, smtpUrl]) {
    const password = text === null ? undefined : URL.parse(text)?.password
    if (password === undefined || password === '') continue
    log.redactSecret(password)
    log.redactSecret(decodeURIComponent(password))
  }
}
