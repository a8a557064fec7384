/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What tests/lab/smpi/programs.c has of MPI, for one rank at a time: test_programs.c defines it.
 */
#ifndef TEST_MPI_H
#define TEST_MPI_H

typedef int MPI_Request;
#define MPI_COMM_WORLD 0
#define MPI_BYTE 0
#define MPI_BOR 0
#define MPI_STATUS_IGNORE 0
#define MPI_STATUSES_IGNORE 0

static void note(int to, int bytes);
static void note_sum(int bytes);
static void note_all(int bytes);
static void note_each(const int *bytes);

#define MPI_Init(c, v) ((void)(c), (void)(v))
#define MPI_Finalize() ((void)0)
#define MPI_Comm_rank(c, r) ((void)(r))
#define MPI_Comm_size(c, n) ((void)(n))
#define MPI_Dims_create(n, d, side) comm_grid_sides(n, d, side)
#define MPI_Irecv(b, n, t, from, tag, c, r) ((void)(b), (void)(from), (void)(r))
#define MPI_Isend(b, n, t, to, tag, c, r) ((void)(b), (void)(r), note(to, n))
#define MPI_Waitall(n, r, s) ((void)(r))
#define MPI_Recv(b, n, t, from, tag, c, s) ((void)(b), (void)(n), (void)(from))
#define MPI_Send(b, n, t, to, tag, c) ((void)(b), note(to, n))
#define MPI_Sendrecv(b, n, t, to, tag, d, m, u, from, g, c, s) ((void)(from), note(to, n))
#define MPI_Allreduce(b, d, n, t, o, c) ((void)(b), (void)(d), note_sum(n))
#define MPI_Alltoall(b, n, t, d, m, u, c) ((void)(b), (void)(d), note_all(n))
#define MPI_Alltoallv(b, n, at, t, d, m, to, u, c) ((void)(at), note_each(n))

#endif
