/** The tables around one table as a diagram, and the same as a list. Each table leads to its own page. */
import type { DictionarySummary } from '@tributary/contract/dictionary'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './dictionary.module.css'
import {
  boxHeight,
  boxWidth,
  findNeighbours,
  type Neighbour,
  type Neighbourhood,
  placeNeighbours,
  type PlacedNeighbour,
} from './diagram-layout.ts'
import { tableList, type TableKey } from './dictionary-queries.ts'
import { tableAddress } from './table-address.ts'

export function RelatedTables({ opened }: { opened: TableKey }) {
  return (
    <Panel title="Related tables">
      <QueryResult query={useQuery(tableList(useOrganisationId(), ''))}>
        {(tables) => (
          <Neighbours opened={opened} tables={tables.filter(({ ConnectorId }) => ConnectorId === opened.connectorId)} />
        )}
      </QueryResult>
    </Panel>
  )
}

function Neighbours({ opened, tables }: { opened: TableKey; tables: readonly DictionarySummary[] }) {
  const found = findNeighbours(tables, opened.table)
  if (found.sources.length + found.targets.length === 0)
    return <p className="muted">The source names no relation of this table to another one that is moved.</p>
  return (
    <>
      <Diagram opened={opened} found={found} />
      <details className={css.list}>
        <summary>The same as a list</summary>
        <NeighbourList title="This table refers to" opened={opened} neighbours={found.targets} />
        <NeighbourList title="Tables that refer to this one" opened={opened} neighbours={found.sources} />
      </details>
    </>
  )
}

function NeighbourList({
  title,
  opened,
  neighbours,
}: {
  title: string
  opened: TableKey
  neighbours: readonly Neighbour[]
}) {
  const id = useId()
  if (neighbours.length === 0) return null
  return (
    <>
      <h3 id={id}>{title}</h3>
      <ul aria-labelledby={id}>
        {neighbours.map(({ name, columns, isPart }) => (
          <li key={name}>
            <Link to={tableAddress({ ...opened, table: name })}>
              <bdi>{name}</bdi>
            </Link>{' '}
            by <bdi>{columns}</bdi>
            {isPart ? ' (part of it)' : ''}
          </li>
        ))}
      </ul>
    </>
  )
}

function Diagram({ opened, found }: { opened: TableKey; found: Neighbourhood }) {
  const { width, height, center, sources, targets } = placeNeighbours(found)
  const middle = center.y + boxHeight / 2
  return (
    // The frame scrolls where the diagram is larger than the page; its links bring themselves into view.
    <div className={css.diagram}>
      <svg
        width={width + 4}
        height={height + 4}
        viewBox={`-2 -2 ${width + 4} ${height + 4}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- HTML has no element for a drawing with links.
        role="group"
        aria-label={`Tables around ${opened.table}`}
      >
        {sources.map((box) => (
          <Line key={box.name} box={box} from={[box.x + boxWidth, box.y + boxHeight / 2]} to={[center.x, middle]} />
        ))}
        {targets.map((box) => (
          <Line key={box.name} box={box} from={[center.x + boxWidth, middle]} to={[box.x, box.y + boxHeight / 2]} />
        ))}
        <g className={css.center}>
          <rect className={css.box} x={center.x} y={center.y} width={boxWidth} height={boxHeight} rx={6} />
          <BoxText x={center.x} y={center.y} text={opened.table} />
        </g>
        {[...sources, ...targets].map((box) => (
          <Box key={`${box.x} ${box.name}`} box={box} to={tableAddress({ ...opened, table: box.name })} />
        ))}
      </svg>
    </div>
  )
}

function Box({ box: { name, columns, x, y }, to }: { box: PlacedNeighbour; to: string }) {
  return (
    <Link to={to} aria-label={`${name} by ${columns}`}>
      <title>{`${name} by ${columns}`}</title>
      <rect className={css.box} x={x} y={y} width={boxWidth} height={boxHeight} rx={6} />
      <BoxText x={x} y={y} text={name} />
    </Link>
  )
}

const boxCharacters = 26

function BoxText({ x, y, text }: { x: number; y: number; text: string }) {
  const shown = text.length > boxCharacters ? `${text.slice(0, boxCharacters - 1)}…` : text
  return (
    <text
      x={x + boxWidth / 2}
      y={y + boxHeight / 2}
      className={css.text}
      textAnchor="middle"
      dominantBaseline="central"
    >
      {shown}
    </text>
  )
}

type Point = readonly [x: number, y: number]

/** Points to the table that is referred to; broken where one is a part of the other. */
function Line({ box, from, to }: { box: PlacedNeighbour; from: Point; to: Point }) {
  const middle = (from[0] + to[0]) / 2
  return (
    <g className={css.line} data-part={box.isPart || undefined}>
      <path d={`M ${from.join(' ')} C ${middle} ${from[1]}, ${middle} ${to[1]}, ${to.join(' ')}`} />
      <path d={`M ${to[0] - 8} ${to[1] - 4} L ${to.join(' ')} L ${to[0] - 8} ${to[1] + 4}`} />
    </g>
  )
}
