/** Tasks of the warehouse and the office: drafted, amended, completed, sometimes voided or deleted. */
import { dayMs, taskKinds } from './company.ts'
import type { Cin7Company, Cin7Task, Cin7TaskKind } from './company.ts'

const numbersBegin: Readonly<Record<Cin7TaskKind, string>> = {
  adjustment: 'SA',
  stocktake: 'ST',
  transfer: 'TR',
  assembly: 'FG',
  disassembly: 'DA',
  writeOff: 'WO',
  money: 'MO',
  production: 'PR',
}

export function taskNumber(kind: Cin7TaskKind, { number }: Cin7Task): string {
  return `${numbersBegin[kind]}-${String(number).padStart(5, '0')}`
}

export function makeTasks(company: Cin7Company, now: number): void {
  const { size, tasks } = company
  const count = size.tasks ?? 2
  const apartMs = Math.floor(((size.days ?? 110) * dayMs) / (count + 1))
  for (const kind of taskKinds) {
    for (let number = 1; number <= count; number += 1) {
      const task = makeTask(company, number, now - (count - number + 1) * apartMs)
      tasks[kind].push(number === count ? task : { ...task, status: 'COMPLETED' })
    }
  }
}

/** Simulates one step: drafts a task, or advances an existing one. */
export function simulateTasks(company: Cin7Company, now: number): void {
  const { random, tasks, size } = company
  const kind = random.pick(taskKinds)
  const list = tasks[kind]
  const last = list.at(-1)?.number ?? 0
  if (list.length === 0 || (random.next() < 0.3 && list.length < 2 * (size.tasks ?? 2)))
    return void list.push(makeTask(company, last + 1, now))
  const task = random.pick(list)
  task.updatedAt = now
  if (task.status !== 'DRAFT') {
    if (random.next() < 0.2) task.status = 'VOIDED'
  } else amend(company, list, task)
}

/** Changes the lines of a draft, which its row in the list does not show. */
function amend({ random }: Cin7Company, list: Cin7Task[], task: Cin7Task): void {
  const chance = random.next()
  const [line] = task.lines
  if (chance < 0.2) list.splice(list.indexOf(task), 1)
  else if (chance < 0.6 && line !== undefined) line.quantity += 1
  else task.status = 'COMPLETED'
}

function makeTask({ random, products }: Cin7Company, number: number, at: number): Cin7Task {
  const lines = Array.from({ length: random.between(1, 3) }, () => ({
    product: random.pick(products),
    quantity: random.between(1, 40),
  }))
  return { ID: random.guid(), number, at, status: 'DRAFT', lines, updatedAt: at }
}
