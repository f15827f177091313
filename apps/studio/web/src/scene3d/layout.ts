// How one to four viewports share a rectangle [px].

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function tiles(count: number, width: number, height: number, gap = 2): Box[] {
  const columns = count <= 1 ? 1 : count === 2 ? (width >= height ? 2 : 1) : count === 3 && width > 1.9 * height ? 3 : 2;
  const rows = Math.ceil(count / columns);
  const h = (height - gap * (rows - 1)) / rows;
  const boxes: Box[] = [];
  for (let i = 0; i < count; ++i) {
    const row = Math.floor(i / columns);
    const inRow = row === rows - 1 ? count - row * columns : columns; // a short last row is stretched
    const w = (width - gap * (inRow - 1)) / inRow;
    boxes.push({x: (i - row * columns) * (w + gap), y: row * (h + gap), width: w, height: h});
  }
  return boxes;
}

export function tileAt(boxes: Box[], x: number, y: number): number {
  return boxes.findIndex((box) => x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height);
}
