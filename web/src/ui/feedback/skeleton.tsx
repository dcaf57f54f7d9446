import { type ReactNode, useEffect, useState } from 'react'
import css from './skeleton.module.css'

const quietMs = 300

/** Boxes of the final shape. Nothing is drawn for the first 300 ms, but the room is kept. */
export function SkeletonCards({ count, height }: { count: number; height: number }) {
  return (
    <Waiting>
      <div className={css.grid}>
        {Array.from({ length: count }, (_, index) => (
          <Bone key={index} height={height} />
        ))}
      </div>
    </Waiting>
  )
}

export function SkeletonLines({ count, height = 16 }: { count: number; height?: number }) {
  return (
    <Waiting>
      <div className={css.lines}>
        {Array.from({ length: count }, (_, index) => (
          <Bone key={index} height={height} />
        ))}
      </div>
    </Waiting>
  )
}

function Bone({ height }: { height: number }) {
  return <span className={css.bone} style={{ height }} />
}

function Waiting({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), quietMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={css.waiting} data-shown={isShown || undefined}>
      <output className="visually-hidden">Loading</output>
      <div aria-hidden>{children}</div>
    </div>
  )
}
