import type { Config } from '../config/config.ts'
import type { Log } from './log.ts'

/** The configuration's secrets, which no log line may hold. */
export function concealSettings(
  log: Log,
  { captcha, databaseUrl, metricsToken, tracing, warehouseUrl, smtpUrl }: Config,
): void {
  for (const secret of [captcha.secret, metricsToken, ...Object.values(tracing?.exporter.headers ?? {})])
    if (secret !== null) log.conceal(secret)
  for (const text of [databaseUrl, warehouseUrl, smtpUrl]) {
    const password = text === null ? undefined : URL.parse(text)?.password
    if (password === undefined || password === '') continue
    log.conceal(password)
    log.conceal(decodeURIComponent(password))
  }
}
