/** Sentences about the calls of a connector to its source. */
import type { ConnectorUsage } from '@tributary/contract/usage'
import { formatCount, formatDay, formatMoment } from '../../../ui/formats.ts'

export function describeToday({ Limit, Today }: ConnectorUsage): string {
  const calls = `${formatCount(Today.Calls)} ${Today.Calls === 1 ? 'call' : 'calls'}`
  if (Limit === null) return `Today: ${calls}. The source sets no limit for a day.`
  if (Limit.Per === 'minute')
    return `Today: ${calls}. The source allows ${formatCount(Limit.Calls)} a minute, and runs keep below that.`
  const left = Math.max(0, Limit.Calls - Today.Calls)
  return `Today: ${calls} of the ${formatCount(Limit.Calls)} that the source allows for these credentials, ${formatCount(left)} left until ${formatMoment(Today.EndsAtUtc, 'dateTime')}.`
}

/** What the provider's rules mean now, and until when. */
export function describeRules({ Today, Rules }: ConnectorUsage): string {
  const until = `until ${formatMoment(Today.EndsAtUtc, 'dateTime')}`
  const effects = [
    Today.State === 'used' && Rules.Wait
      ? `runs wait ${until}, because the last 5 % are left to people and other programs`
      : null,
    Rules.ThinOut ? 'the schedule starts a run at most once an hour' : null,
    Rules.RefuseManual ? 'no one can start a run by hand' : null,
  ].filter((effect) => effect !== null)
  if (effects.length > 0) return capitalise(`${effects.join('; ')}.`)
  return Rules.Wait
    ? `Runs continue. From 95 % on they wait ${until}.`
    : 'Runs continue until the source refuses calls, because the provider has switched waiting off.'
}

export function describeMonth({ Limit, Month }: ConnectorUsage): string {
  const used = `This month: ${formatCount(Month.Used)} calls of this connector so far.`
  if (Month.Forecast === null)
    return `${used} What the whole month will need can be said once seven whole days are counted.`
  const allowed =
    Month.Allowed === null || Limit?.Per !== 'day' ? '' : ` of the ${formatCount(Month.Allowed)} that the source allows`
  const busiest =
    Month.Busiest === null
      ? ''
      : ` The busiest day to come is ${formatDay(Month.Busiest.Day, 'weekday')}, with about ${formatCount(Month.Busiest.Calls)}.`
  return `${used} About ${formatCount(Month.Forecast)}${allowed} are expected in the whole month, from the mean of the same weekdays in the last four weeks.${busiest}`
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
