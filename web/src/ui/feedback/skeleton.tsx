import { useEffect, useState } from 'react'
import css from './skeleton.module.css'

const delayMs = 300

interface SkeletonProps {
  count: number
  height: number
}

export function SkeletonCards(props: SkeletonProps) {
  return <Skeleton {...props} className={css.grid} />
}

export function SkeletonLines({ count, height = 16 }: Partial<SkeletonProps> & { count: number }) {
  return <Skeleton count={count} height={height} className={css.lines} />
}

/** Placeholders in the shape of the content. Invisible for the first 300 ms, but they take their space at once. */
function Skeleton({ count, height, className }: SkeletonProps & { className: string | undefined }) {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), delayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={css.waiting} data-shown={isShown || undefined}>
      <output className="visually-hidden">Loading</output>
      <div aria-hidden>
        <div className={className}>
          {Array.from({ length: count }, (_, index) => (
            <span key={index} className={css.bone} style={{ height }} />
          ))}
        </div>
      </div>
    </div>
  )
}
