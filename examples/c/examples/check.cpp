// Checks files from C++: check FILE... prints the verdict on each, and the first finding. The classes of this file
// close their handles and throw errors; copy them into your program.
#include <linkstream.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ls {

// An error, with the rule that a file breaks, if it is one of a file.
class Error : public std::runtime_error {
public:
    Error(std::int32_t code, const linkstream_error &error)
        : std::runtime_error(error.message), code(code), rule(error.rule), clause(error.clause), offset(error.offset) {}
    std::int32_t code;
    std::string rule, clause;
    std::uint64_t offset;
};

// Returns the answers that are no errors.
inline std::int32_t checked(std::int32_t answer) {
    if (answer < 0) throw Error(answer, *linkstream_last_error());
    return answer;
}

// A structure with its size.
template <class T> T sized() {
    T value = {};
    value.struct_size = sizeof value;
    return value;
}

class File {
public:
    explicit File(const std::string &path) {
        linkstream_file *opened = nullptr;
        checked(linkstream_open_path(path.c_str(), &opened));
        file.reset(opened);
    }

    linkstream_file_info info() const {
        auto info = sized<linkstream_file_info>();
        checked(linkstream_file_get(file.get(), &info));
        return info;
    }

    linkstream_field_info field(std::uint64_t index) const {
        auto info = sized<linkstream_field_info>();
        checked(linkstream_field_get(file.get(), index, &info));
        return info;
    }

    // The numbers of a field in double precision. The second value is true if a checksum verifies them.
    std::pair<std::vector<double>, bool> read(std::uint64_t index) const {
        std::vector<double> numbers(field(index).numbers);
        auto how = sized<linkstream_read>();
        how.element = LINKSTREAM_F64;
        const auto size = numbers.size() * sizeof(double);
        const auto answer = linkstream_field_read(file.get(), index, &how, numbers.data(), size);
        return {std::move(numbers), checked(answer) == LINKSTREAM_OK};
    }

private:
    struct Close {
        void operator()(linkstream_file *file) const { linkstream_file_close(file); }
    };
    std::unique_ptr<linkstream_file, Close> file;
};

class Report {
public:
    explicit Report(const std::string &path) {
        linkstream_report *made = nullptr;
        checked(linkstream_check_path(path.c_str(), nullptr, &made));
        report.reset(made);
    }

    linkstream_report_info info() const {
        auto info = sized<linkstream_report_info>();
        checked(linkstream_report_get(report.get(), &info));
        return info;
    }

    linkstream_finding finding(std::uint64_t index) const {
        auto finding = sized<linkstream_finding>();
        checked(linkstream_report_finding(report.get(), index, &finding));
        return finding;
    }

    std::string json() const { return linkstream_report_json(report.get()); }

private:
    struct Close {
        void operator()(linkstream_report *report) const { linkstream_report_close(report); }
    };
    std::unique_ptr<linkstream_report, Close> report;
};

} // namespace ls

int main(int count, char **arguments) {
    static const char *const verdicts[] = {"OK", "UNVERIFIED", "WRONG", "UNREADABLE"};
    bool is_ok = true;
    for (int i = 1; i < count; ++i) try {
        const ls::Report report(arguments[i]);
        const auto about = report.info();
        std::cout << arguments[i] << ": " << verdicts[about.verdict] << '\n';
        is_ok = is_ok && about.is_ok;
        if (about.findings) {
            const auto first = report.finding(0);
            std::cout << "  " << first.rule << " at byte " << first.offset << ": " << first.message << '\n';
        }
        if (about.verdict > LINKSTREAM_VERDICT_UNVERIFIED) continue;
        const ls::File file(arguments[i]);
        for (std::uint64_t field = 0; field < file.info().fields; ++field) {
            const auto numbers = file.read(field);
            std::cout << "  field " << field << ": " << numbers.first.size() << " numbers"
                      << (numbers.second ? ", checksum OK\n" : ", unverified\n");
        }
    } catch (const ls::Error &error) {
        std::cout << arguments[i] << ": " << error.what() << '\n';
        is_ok = false;
    }
    return is_ok ? 0 : 1;
}
