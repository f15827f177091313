// Sharp edges of a surface stay sharp in the picture: a vertex whose faces meet at a crease is drawn once for each side of it. Found once, on
// the shape in which a surface is first seen; normals are then smooth within each side.

const crease = Math.cos((58 * Math.PI) / 180);

export interface Split {
  source: Uint32Array; // vertex of the surface, of each vertex that is drawn
  triangles: Uint32Array; // into those that are drawn
}

function unitNormals(positions: Float32Array, triangles: Uint32Array): Float32Array {
  const normals = new Float32Array(triangles.length);
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [3 * triangles[i], 3 * triangles[i + 1], 3 * triangles[i + 2]];
    const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    n.forEach((value, k) => (normals[i + k] = value / length));
  }
  return normals;
}

/** Around each vertex, faces that lean from each other by less than the crease angle are on one side, directly or through others. */
export function splitAtCreases(positions: Float32Array, triangles: Uint32Array): Split {
  const count = positions.length / 3;
  const normals = unitNormals(positions, triangles);
  const corners: number[][] = Array.from({length: count}, () => []);
  triangles.forEach((vertex, corner) => corners[vertex].push(corner));
  const source = [...Array(count).keys()];
  const split = new Uint32Array(triangles);
  for (let vertex = 0; vertex < count; ++vertex) {
    const waiting = new Set(corners[vertex]);
    for (let isFirst = true; waiting.size > 0; isFirst = false) {
      const [start] = waiting;
      waiting.delete(start);
      const side = [start];
      for (const corner of side)
        for (const other of waiting) {
          const [m, n] = [corner - (corner % 3), other - (other % 3)];
          if (normals[m] * normals[n] + normals[m + 1] * normals[n + 1] + normals[m + 2] * normals[n + 2] < crease) continue;
          waiting.delete(other);
          side.push(other);
        }
      if (isFirst) continue; // keeps the vertex itself
      source.push(vertex);
      for (const corner of side) split[corner] = source.length - 1;
    }
  }
  return {source: Uint32Array.from(source), triangles: split};
}
