/** Rate limits. They are off in a trial, where all people share one address and a few accounts. */
import { onOff, readSetting, readSettings, wholeNumber, type SettingInput, type ValuesOf } from './setting.ts'

export interface LimitSettings {
  /** Whether the limits apply that the people of a trial would share: by address, by organisation and global. */
  readonly isOn: boolean
  /** Calls a minute. */
  readonly rates: ValuesOf<typeof rateSettings>
}

export const limitSwitch = onOff('TRIBUTARY_LIMITS', {
  initial: { trial: 'off', production: 'on' },
  meaning: 'Whether the limits apply that many people share.',
})

export const rateSettings = {
  visitor: perMinute('TRIBUTARY_RATE_VISITOR', '300', 'one address (of IPv6 a /64) without a session'),
  read: perMinute('TRIBUTARY_RATE_READ', '600', 'one session that read data'),
  write: perMinute('TRIBUTARY_RATE_WRITE', '120', 'one session that change data'),
  poll: perMinute('TRIBUTARY_RATE_POLL', '30', 'one session, for each resource that a page polls'),
  approval: perMinute('TRIBUTARY_RATE_APPROVAL', '60', 'one account that decide requests'),
  organisation: perMinute('TRIBUTARY_RATE_ORGANISATION', '5000', 'all users of one organisation together'),
}

export function readLimits(given: SettingInput): LimitSettings {
  return { isOn: readSetting(limitSwitch, given), rates: readSettings(rateSettings, given) }
}

function perMinute(name: string, initial: string, of: string) {
  return wholeNumber(name, { initial, min: 1, max: 1_000_000, meaning: `Calls a minute of ${of}.` })
}
