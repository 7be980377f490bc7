// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces MPI's header in the simulated network (network.hpp): the names that the library's sources use.
#pragma once

#include <cstdint>

using MPI_Comm = int;
using MPI_Request = int;
enum MPI_Datatype : int {
    MPI_DATATYPE_NULL,
    MPI_BYTE,
    MPI_SHORT,
    MPI_UNSIGNED_SHORT,
    MPI_INT,
    MPI_UNSIGNED,
    MPI_LONG,
    MPI_UNSIGNED_LONG,
    MPI_LONG_LONG,
    MPI_UNSIGNED_LONG_LONG,
    MPI_FLOAT,
    MPI_DOUBLE,
    MPI_LONG_DOUBLE,
    MPI_INT64_T
};
enum MPI_Op : int { MPI_SUM, MPI_MIN };
struct MPI_Status {
    int MPI_SOURCE = 0, MPI_TAG = 0, MPI_ERROR = 0;
    int size = 0;
};

inline constexpr int MPI_SUCCESS = 0, MPI_MAX_ERROR_STRING = 64, MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1;
inline constexpr MPI_Comm MPI_COMM_WORLD = 0, MPI_COMM_NULL = -1;
inline constexpr MPI_Request MPI_REQUEST_NULL = 0;
inline constexpr MPI_Status* MPI_STATUS_IGNORE = nullptr;
enum : int { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };

int MPI_Initialized(int* is_so);
int MPI_Finalized(int* is_so);
int MPI_Query_thread(int* level);
int MPI_Is_thread_main(int* is_so);
int MPI_Error_string(int error, char* text, int* length);
int MPI_Comm_test_inter(MPI_Comm comm, int* is_so);
int MPI_Comm_rank(MPI_Comm comm, int* rank);
int MPI_Comm_size(MPI_Comm comm, int* size);
int MPI_Comm_idup(MPI_Comm comm, MPI_Comm* copy, MPI_Request* request);
int MPI_Comm_free(MPI_Comm* comm);
int MPI_Isend(const void* from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Irecv(void* to, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int* is_there, MPI_Status* status);
int MPI_Get_count(const MPI_Status* status, MPI_Datatype type, int* count);
int MPI_Test(MPI_Request* request, int* is_complete, MPI_Status* status);
int MPI_Iallreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op by, MPI_Comm comm,
                   MPI_Request* request);
int MPI_Iallgather(const void* from, int count, MPI_Datatype type, void* to, int count_to, MPI_Datatype type_to,
                   MPI_Comm comm, MPI_Request* request);
int MPI_Ibcast(void* bytes, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request);
