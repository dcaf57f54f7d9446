/** Offsets of the time zones that Xero names, as they are when a view is created. */

/** By the name in Xero, which is Windows' name in capitals without spaces. Others count as UTC. */
const zones: Readonly<Record<string, string>> = {
  NEWZEALANDSTANDARDTIME: 'Pacific/Auckland',
  FIJISTANDARDTIME: 'Pacific/Fiji',
  AUSEASTERNSTANDARDTIME: 'Australia/Sydney',
  EAUSTRALIASTANDARDTIME: 'Australia/Brisbane',
  TASMANIASTANDARDTIME: 'Australia/Hobart',
  CENAUSTRALIASTANDARDTIME: 'Australia/Adelaide',
  AUSCENTRALSTANDARDTIME: 'Australia/Darwin',
  WAUSTRALIASTANDARDTIME: 'Australia/Perth',
  SINGAPORESTANDARDTIME: 'Asia/Singapore',
  CHINASTANDARDTIME: 'Asia/Shanghai',
  TOKYOSTANDARDTIME: 'Asia/Tokyo',
  SEASIASTANDARDTIME: 'Asia/Bangkok',
  INDIASTANDARDTIME: 'Asia/Kolkata',
  ARABIANSTANDARDTIME: 'Asia/Dubai',
  SOUTHAFRICASTANDARDTIME: 'Africa/Johannesburg',
  EAFRICASTANDARDTIME: 'Africa/Nairobi',
  GTBSTANDARDTIME: 'Europe/Bucharest',
  FLESTANDARDTIME: 'Europe/Kiev',
  WEUROPESTANDARDTIME: 'Europe/Berlin',
  ROMANCESTANDARDTIME: 'Europe/Paris',
  CENTRALEUROPESTANDARDTIME: 'Europe/Budapest',
  CENTRALEUROPEANSTANDARDTIME: 'Europe/Warsaw',
  GMTSTANDARDTIME: 'Europe/London',
  ATLANTICSTANDARDTIME: 'America/Halifax',
  NEWFOUNDLANDSTANDARDTIME: 'America/St_Johns',
  EASTERNSTANDARDTIME: 'America/New_York',
  USEASTERNSTANDARDTIME: 'America/Indiana/Indianapolis',
  CENTRALSTANDARDTIME: 'America/Chicago',
  CANADACENTRALSTANDARDTIME: 'America/Regina',
  MOUNTAINSTANDARDTIME: 'America/Denver',
  USMOUNTAINSTANDARDTIME: 'America/Phoenix',
  PACIFICSTANDARDTIME: 'America/Los_Angeles',
  ALASKANSTANDARDTIME: 'America/Anchorage',
  HAWAIIANSTANDARDTIME: 'Pacific/Honolulu',
}

/**
 * SQL expression for the minutes that a zone is ahead of UTC. Every run creates the view again when an offset has
 * changed. @param zone expression for the zone's name @param now milliseconds since 1970
 */
export function utcOffsetMinutes(zone: string, now: number): string {
  const offsets = Object.entries(zones).map(([name, iana]) => `WHEN '${name}' THEN ${offsetOf(iana, now)}`)
  return `CASE UPPER(REPLACE(COALESCE(${zone}, ''), ' ', '')) ${offsets.join(' ')} ELSE 0 END`
}

function offsetOf(timeZone: string, now: number): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now)
  const [, sign, hours, minutes] =
    /^GMT(?:([+-])(\d\d):(\d\d))?$/u.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
